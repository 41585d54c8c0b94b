import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  ADMIN,
  DEVELOPER,
  OWNER,
  startOauth,
  VOLUNTEER,
} from '@connect-embed/api/test-support/app/start-oauth';
import { attributesOf, textOf } from '@connect-embed/api/test-support/browser/read-document';
import { DEMO_PASSWORD } from '@connect-embed/api/users/demo-people';

const { api, authorizeUrl, connect, visitor } = await startOauth();
const APPROVE = { organization: 'org_harbor', decision: 'approve' };

describe('the sign-in page', () => {
  test('rejects a wrong password and keeps the typed email address in the form', async () => {
    const person = visitor();
    const page = await person.open(authorizeUrl());
    assert.equal(page.url.pathname, '/sign-in');
    const response = await person.send(page, '/sign-in', { email: OWNER, password: 'wrong' });
    assert.equal(response.status, 401);
    assert.ok(response.document.querySelector(`[value="${OWNER}"]`));
    assert.ok(response.document.querySelector('[role="alert"]'));
  });

  test('gives the same error for an email address without an account', async () => {
    const person = visitor();
    const page = await person.open('/sign-in');
    const errorFor = async (email: string) => {
      const fields = { email, password: 'wrong' };
      const { status, document } = await person.send(page, '/sign-in', fields);
      return [status, textOf(document, '[role="alert"]')];
    };
    assert.deepEqual(await errorFor('nobody@nowhere.example'), await errorFor(DEVELOPER));
  });

  test('rate-limits an email address after ten wrong passwords, across all processes', async () => {
    const email = 'somebody@guesses.example';
    const person = visitor();
    const page = await person.open('/sign-in');
    for (let attempt = 1; attempt <= 10; attempt += 1) {
      const { status } = await person.send(page, '/sign-in', { email, password: `p${attempt}` });
      assert.equal(status, 401);
    }
    const { status, headers } = await person.send(page, '/sign-in', { email, password: 'p11' });
    assert.equal(status, 429);
    assert.ok(Number(headers.get('retry-after')) > 800);
  });

  for (const next of [
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/.//evil.example',
    '/a/..//evil.example',
    '/%2e//evil.example',
    '//here.invalid//evil.example',
    'javascript:1',
  ]) {
    test(`does not redirect to ${next}`, async () => {
      const person = visitor();
      const page = await person.open(`/sign-in?${new URLSearchParams({ next })}`);
      const hidden = attributesOf(page.document, '[name="next"]', 'value');
      assert.doesNotMatch(hidden.join(), /evil|javascript/);
      const fields = { email: OWNER, password: DEMO_PASSWORD, next };
      const { url } = await person.post('/sign-in', fields);
      assert.equal(url.origin, api.url);
      // A person who is signed in already is redirected immediately.
      const redirected = await person.open(`/sign-in?${new URLSearchParams({ next })}`);
      assert.equal(redirected.url.origin, api.url);
    });
  }

  test('escapes form input in the page', async () => {
    const person = visitor();
    const page = await person.open('/sign-in');
    const email = '"><script>alert(1)</script>';
    const { text, document } = await person.send(page, '/sign-in', { email, password: 'x' });
    assert.ok(!text.includes('<script>'));
    assert.equal(document.querySelector('[name="email"]')?.getAttribute('value'), email);
  });

  test('a cross-site form submission is rejected', async () => {
    const fields = { email: OWNER, password: 'harbor-street-demo' };
    for (const headers of [
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
    ]) {
      const { status } = await visitor().post(
        '/sign-in',
        fields,
        headers as Record<string, string>,
      );
      assert.equal(status, 403);
    }
  });
});

describe('the consent page', () => {
  test('describes the requested scopes in plain words and names the redirect host', async () => {
    const { page } = await connect({ scope: 'donations:read payments:write offline_access' });
    assert.match(page.text, /Connect Sprout\?/);
    for (const description of ['See donations', 'Accept donations for you', 'Stay connected']) {
      assert.ok(page.text.includes(description));
    }
    assert.ok(!page.text.includes('See donors'));
    assert.ok(!page.text.includes('donations:read'), 'no jargon');
    assert.ok(page.text.includes('localhost:9'));
  });

  test('cannot be framed and contains no script', async () => {
    const { page } = await connect();
    const policy = page.headers.get('content-security-policy') ?? '';
    assert.match(policy, /frame-ancestors 'none'/);
    assert.match(policy, /default-src 'none'/);
    assert.equal(page.headers.get('x-frame-options'), 'DENY');
    assert.equal(page.headers.get('cache-control'), 'no-store');
    assert.equal(page.document.querySelector('script'), null);
  });

  test('lists only the organizations for which the person may approve', async () => {
    const listed = async (email: string, scope: string) => {
      const page = await visitor().openAs(email, authorizeUrl({ scope }));
      return attributesOf(page.document, '[name="organization"]', 'value');
    };
    assert.deepEqual(await listed(OWNER, 'payouts:read'), ['org_harbor', 'org_lantern']);
    assert.deepEqual(await listed(ADMIN, 'donations:read'), ['org_harbor']);
    assert.deepEqual(await listed(ADMIN, 'payouts:read'), [], 'an admin without that permission');
    assert.deepEqual(await listed(VOLUNTEER, 'donations:read'), []);
    assert.deepEqual(await listed(DEVELOPER, 'donations:read'), []);
  });

  test('rejects an approval for an organization that is not listed', async () => {
    for (const [email, organization] of [
      [ADMIN, 'org_lantern'],
      [VOLUNTEER, 'org_harbor'],
      [OWNER, 'org_none'],
      [OWNER, ''],
    ] as const) {
      const person = visitor();
      const page = await person.openAs(email, authorizeUrl());
      const response = await person.post(page.url.pathname, { ...APPROVE, organization });
      assert.equal(response.status, 400, `${email} for ${organization}`);
    }
  });

  test('rejects an approval from another site or from another browser', async () => {
    const person = visitor();
    const page = await person.openAs(OWNER, authorizeUrl());
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    assert.equal((await person.post(page.url.pathname, APPROVE, foreign)).status, 403);

    const other = visitor();
    await other.openAs(OWNER, authorizeUrl());
    assert.equal((await other.post(page.url.pathname, APPROVE)).status, 400);
    const otherVisitor = visitor();
    assert.equal((await otherVisitor.post(page.url.pathname, APPROVE)).status, 400);
  });

  test('accepts only one decision per request', async () => {
    const { person, page } = await connect();
    assert.equal((await person.post(page.url.pathname, APPROVE)).status, 400);
  });

  test('rejects a body that is not form-encoded with 415', async () => {
    const response = await fetch(`${api.url}/sign-in`, { method: 'POST', body: '{}' });
    assert.equal(response.status, 415);
  });
});
