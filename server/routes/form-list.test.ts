import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Form } from '@connect-embed/contract';
import { formOf } from '../test-support/dashboard-form.ts';
import { errorOf, openServer, ORIGIN } from '../test-support/embedding-page.ts';
import { startUpstream } from '../test-support/upstream.ts';

const upstream = await startUpstream();

const form = (slug: string, status: Form['status']) =>
  formOf(slug, {
    name: 'Name for members',
    page: { title: slug === 'meals' ? null : `The ${slug} form` },
    status,
    ...(status === 'draft' && { version: null }),
  });

async function list(config = {}, headers: Record<string, string> = {}) {
  const { server } = openServer(upstream.apiBase, { forms: {}, ...config });
  const response = await server.request('/forms', { headers });
  assert.equal(response.status, 200, await response.clone().text());
  const { data } = (await response.json()) as { data: object[] };
  return { data, headers: response.headers };
}

describe('GET /forms', () => {
  test('lists live forms with the titles of their pages, without drafts and closed ones', async () => {
    upstream.setForms([form('gala', 'live'), form('plan', 'draft'), form('old', 'closed')]);
    const { data } = await list();
    assert.deepEqual(data, [{ slug: 'gala', name: 'The gala form' }]);
  });

  test('names a form without a title by its slug, never with the name for members', async () => {
    upstream.setForms([form('meals', 'live')]);
    assert.deepEqual((await list()).data, [{ slug: 'meals', name: 'meals' }]);
  });

  test('lists the forms of the configuration, which take precedence by name', async () => {
    upstream.setForms([form('gala', 'live'), form('meals', 'live')]);
    const { data } = await list({ forms: { meals: {}, lantern: { organization: 'org_lantern' } } });
    assert.deepEqual(data, [
      { slug: 'gala', name: 'The gala form' },
      { slug: 'meals', name: 'meals' },
    ]);
  });

  test('does not list the form of a server without forms, which nobody made', async () => {
    upstream.setForms([form('gala', 'live')]);
    const { data } = await list({ forms: undefined });
    assert.deepEqual(data, [{ slug: 'gala', name: 'The gala form' }]);
    const configured = await list({ forms: { default: { min_amount_cents: 500 } } });
    assert.deepEqual(configured.data[1], { slug: 'default', name: 'default' });
  });

  test('sends no API request beyond those of page views', async () => {
    const { server } = openServer(upstream.apiBase);
    for (let view = 0; view < 20; view += 1) await server.request('/forms');
    assert.deepEqual(upstream.calls.length, 1);
  });

  test('is readable by pages of allowed sites', async () => {
    const { headers } = await list({}, { origin: ORIGIN });
    assert.equal(headers.get('access-control-allow-origin'), ORIGIN);
    const other = await list({}, { origin: 'https://other.example' });
    assert.equal(other.headers.get('access-control-allow-origin'), null);
  });

  test('can be switched off', async () => {
    const { server } = openServer(upstream.apiBase, { listForms: false });
    const error = await errorOf(await server.request('/forms'));
    assert.deepEqual([error.status, error.type], [403, 'forbidden']);
    assert.match(error.message, /does not list its forms/);
  });

  test('is limited for each address', async () => {
    const limits = { setup: { points: 2, seconds: 60 } };
    const clientIp = (request: Request) => request.headers.get('x-address') ?? undefined;
    const { server } = openServer(upstream.apiBase, { limits, clientIp });
    const statusFrom = async (address: string) =>
      (await server.request('/forms', { headers: { 'x-address': address } })).status;
    assert.deepEqual(
      [await statusFrom('192.0.2.1'), await statusFrom('192.0.2.1'), await statusFrom('192.0.2.1')],
      [200, 200, 429],
    );
    assert.equal(await statusFrom('192.0.2.2'), 200);
  });
});
