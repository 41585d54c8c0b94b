import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { PublicForm } from '@connect-embed/contract';
import { compressShared } from '../node/compressors.ts';
import { formOf } from '../test-support/dashboard-form.ts';
import { errorOf, openServer, ORIGIN } from '../test-support/embedding-page.ts';
import { errorResponse, startUpstream } from '../test-support/upstream.ts';

let clock = Date.parse('2026-03-01T12:00:00Z');
const now = () => clock;
const upstream = await startUpstream({ now });
const forms = { default: {}, gala: { preset_amounts_cents: [5000], amount_locked: true } };
const openTestServer = (config = {}) =>
  openServer(upstream.apiBase, { now, forms, compressShared, ...config });
const get = async (
  { server }: ReturnType<typeof openTestServer>,
  query = '',
  headers: Record<string, string> = { origin: ORIGIN },
) => await server.request(`/embed-form${query}`, { headers });
const readForm = async (response: Response) => (await response.json()) as PublicForm;

describe('GET /embed-form', () => {
  test('returns what a page needs to draw the form, and no token or key', async () => {
    const response = await get(openTestServer(), '?form=gala');
    assert.equal(response.status, 200);
    const form = await readForm(response);
    assert.partialDeepStrictEqual(form, {
      object: 'embed_form',
      terms: { preset_amounts_cents: [5000], amount_locked: true },
    });
    for (const name of ['publishable_key', 'stripe_account_id', 'session_token'])
      assert.ok(!(name in form), name);
  });

  test('returns the form named default without a name', async () => {
    const form = await readForm(await get(openTestServer()));
    assert.equal(form.terms.amount_locked, false);
  });

  test('contains what the amounts of a form of the configuration achieve', async () => {
    const impact_texts = { 5000: 'a week of school lunches' };
    const page = openTestServer({ forms: { default: { impact_texts } } });
    const { presentation } = await readForm(await get(page));
    assert.deepEqual(presentation?.impact_texts, impact_texts);
  });

  test('costs at most 2 API requests for 1,000 page views', async () => {
    const page = openTestServer();
    await Promise.all(Array.from({ length: 500 }, () => get(page)));
    for (let view = 0; view < 500; view += 1) assert.equal((await get(page)).status, 200);
    assert.ok(upstream.calls.length <= 2, `${upstream.calls.length} requests`);
  });

  test('may be kept by caches for a short time, and read by every page', async () => {
    const page = openTestServer();
    const response = await get(page, '?form=gala');
    assert.equal(response.headers.get('cache-control'), 'public, max-age=15');
    assert.equal(response.headers.get('access-control-allow-origin'), '*');
    assert.equal(response.headers.get('vary'), 'Accept-Encoding');
    const etag = response.headers.get('etag')!;
    const again = await get(page, '?form=gala', { origin: ORIGIN, 'if-none-match': etag });
    assert.equal(again.status, 304);
    assert.equal(await again.text(), '');
  });

  test('is compressed as the browser accepts', async () => {
    const page = openTestServer();
    for (const [coding, decompress] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const headers = { origin: ORIGIN, 'accept-encoding': coding };
      const response = await get(page, '', headers);
      assert.equal(response.headers.get('content-encoding'), coding);
      const text = decompress(await response.arrayBuffer()).toString();
      assert.equal((JSON.parse(text) as PublicForm).object, 'embed_form');
    }
    const plain = await get(openTestServer({ compressShared: undefined }), '', {
      origin: ORIGIN,
      'accept-encoding': 'br',
    });
    assert.equal(plain.headers.get('content-encoding'), null);
  });

  test('tells a page of another site that it may not embed, also without a preflight', async () => {
    const page = openTestServer();
    for (const origin of ['https://elsewhere.example', 'null']) {
      const response = await get(page, '', { origin });
      assert.equal(response.headers.get('access-control-allow-origin'), '*');
      assert.equal(response.headers.get('cache-control'), 'no-store');
      assert.equal((await errorOf(response)).status, 403);
    }
    const warnings = page.lines.filter(
      ({ level, message }) => level === 'warn' && /origin/.test(message),
    );
    assert.equal(warnings[0]?.['origin'], 'https://elsewhere.example');
  });

  test('tells a page on its own host, too, whose requests have no origin', async () => {
    const page = openTestServer({ origins: ['https://give.example'] });
    const headers = { 'sec-fetch-site': 'same-origin' };
    const open = (host: string) => page.server.request(`https://${host}/embed-form`, { headers });
    assert.equal((await open('give.example')).status, 200);
    const error = await errorOf(await open('other.example'));
    assert.equal(error.status, 403);
    assert.match(error.message, /https:\/\/other\.example is not allowed/);
  });

  test('is prepared again after its compression has failed', async () => {
    let fails = true;
    const page = openTestServer({
      compressShared: async (body: Uint8Array<ArrayBuffer>) => {
        if (fails) throw new Error('out of memory');
        return await compressShared(body);
      },
    });
    assert.equal((await get(page)).status, 500);
    fails = false;
    clock += 2000;
    assert.equal((await get(page)).status, 200);
  });

  test('is public: a request that names no origin gets it, too', async () => {
    assert.equal((await get(openTestServer(), '', {})).status, 200);
  });

  test('names an unknown form and an invalid parameter', async () => {
    const page = openTestServer();
    assert.match((await errorOf(await get(page, '?form=ball'))).message, /"ball"/);
    for (const query of ['?form=', '?amount=1', '?form=a&form=b', `?form=${'x'.repeat(101)}`])
      assert.equal((await errorOf(await get(page, query))).status, 400, query);
    assert.equal((await page.post('/embed-form', {})).status, 405);
  });

  test('is readable by the page while the API is unavailable', async () => {
    upstream.failWith(() => errorResponse(500, 'server_error', 'down'));
    const response = await get(openTestServer());
    assert.equal(response.headers.get('access-control-allow-origin'), '*');
    assert.equal(response.headers.get('cache-control'), 'no-store');
    assert.equal((await errorOf(response)).status, 503);
  });

  test('shows a published change within a minute, caches included', async () => {
    const spring = formOf('spring', { campaign_id: null });
    upstream.setForms([spring]);
    const page = openTestServer();
    const versionOf = async () => (await readForm(await get(page, '?form=spring'))).form_version;
    assert.equal(await versionOf(), 1);
    upstream.setForms([{ ...spring, version: 2 }]);
    clock += 45_000; // With the 15 seconds of a cache, a minute.
    assert.equal(await versionOf(), 2);
  });
});
