import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApi } from '@connect-embed/api/test-support/app/start-api';
import { readDocument, textOf } from '@connect-embed/api/test-support/browser/read-document';
import { DEMO_PEOPLE } from '@connect-embed/api/users/demo-people';

const api = await startApi();
const { visitor } = api;
const OWNER = DEMO_PEOPLE[0].email;
const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

const open = (path: string, headers: Record<string, string> = BROWSER) =>
  api.app.request(path, { headers });

describe('an unknown path', () => {
  for (const path of [
    '/dashboard/org_harbor/nonsense',
    '/dashboard/org_harbor/donations/don_none',
    '/dashboard/org_harbor/donations/don_none/deeper/still',
    '/dashboard/account/nonsense',
    '/dashboard/org_none',
    '/dashboard/org_none/donations',
  ]) {
    test(`is an error page in the dashboard layout: ${path}`, async () => {
      const person = visitor();
      await person.openAs(OWNER, '/dashboard');
      const page = await person.open(path);
      assert.equal(page.status, 404);
      assert.equal(textOf(page.document, 'h1'), 'Page not found');
      assert.ok(page.document.querySelector('nav.side[aria-label="Dashboard"]'));
      assert.doesNotMatch(page.text, /don_none|org_none/);
    });
  }

  for (const path of [
    '/',
    '/sign-in/x',
    '/consent/x/y',
    '/invitation/x/y',
    '/embed/x/y',
    '/docs/x',
  ]) {
    test(`is an error page for a browser: ${path}`, async () => {
      const response = await open(path);
      assert.equal(response.status, 404);
      assert.match(response.headers.get('content-type') ?? '', /^text\/html/);
      assert.match(response.headers.get('content-security-policy') ?? '', /style-src 'self'/);
      assert.equal(response.headers.get('cache-control'), 'no-store');
      assert.match(await response.text(), /Page not found/);
    });
  }

  test('below a donor’s page is an error page in the donor’s language', async () => {
    const response = await open('/plans/none/x', { ...BROWSER, 'accept-language': 'de-AT' });
    assert.equal(response.status, 404);
    assert.equal(readDocument(await response.text()).documentElement.lang, 'de-AT');
  });

  for (const [path, headers] of [
    ['/sign-in/x', { accept: 'application/json' }],
    ['/sign-in/x', { accept: '*/*' }],
    ['/sign-in/x', {}],
    ['/api/v1/nonsense', BROWSER],
    ['/metrics/x', BROWSER],
  ] as const) {
    test(`is a JSON error for other clients: ${path} ${JSON.stringify(headers)}`, async () => {
      const response = await open(path, headers);
      assert.equal(response.status, 404);
      const body = (await response.json()) as { error: { type: string } };
      assert.equal(body.error.type, 'not_found');
    });
  }
});

test('a form with an invalid content type is rejected with an error page', async () => {
  const response = await api.app.request('/sign-in', {
    method: 'POST',
    headers: { ...BROWSER, 'content-type': 'text/plain' },
    body: 'email=x',
  });
  assert.equal(response.status, 415);
  assert.ok(textOf(readDocument(await response.text()), 'h1'));
});
