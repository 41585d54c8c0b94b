import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CALLBACK, startOauth } from '../../test-support/start-oauth.ts';

const { api, app, newApp, authorizeUrl, connect, visitor } = await startOauth();

/** What an app is told, without anybody having been asked. */
async function errorOf(params: Record<string, string>) {
  const { url } = await visitor().open(authorizeUrl(params));
  // For response types that are not `code`, errors come behind the hash.
  if (url.hash) url.search = `?${url.hash.slice(1)}`;
  assert.equal(url.origin + url.pathname, CALLBACK);
  assert.equal(url.searchParams.get('state'), 'some-state');
  assert.equal(url.searchParams.get('iss'), api.url);
  return url.searchParams.get('error');
}

/** No script, no frame, no cache, no sniffing, and no address of ours as a referrer. */
function assertSecurityHeaders(headers: Headers) {
  const policy = headers.get('content-security-policy') ?? '';
  assert.match(policy, /default-src 'none'/);
  assert.match(policy, /frame-ancestors 'none'/);
  assert.doesNotMatch(policy, /script-src/);
  assert.equal(headers.get('x-frame-options'), 'DENY');
  assert.equal(headers.get('x-content-type-options'), 'nosniff');
  assert.equal(headers.get('referrer-policy'), 'no-referrer');
  assert.match(headers.get('cache-control') ?? '', /no-store/);
}

describe('GET /api/auth/oauth2/authorize', () => {
  test('sends an approving owner back with code, state and iss', async () => {
    const { callback } = await connect({ state: 'a b&c=d/é' });
    assert.equal(callback.origin + callback.pathname, CALLBACK);
    assert.deepEqual([...callback.searchParams.keys()].sort(), ['code', 'iss', 'state']);
    assert.equal(callback.searchParams.get('state'), 'a b&c=d/é');
    assert.equal(callback.searchParams.get('iss'), api.url);
  });

  test('tells the app when a member says no', async () => {
    const { callback } = await connect({}, { decision: 'refuse' });
    assert.equal(callback.searchParams.get('error'), 'access_denied');
    assert.equal(callback.searchParams.get('iss'), api.url);
    assert.equal(callback.searchParams.get('code'), null);
  });

  for (const [why, redirect_uri] of [
    ['another address', 'http://localhost:9/other'],
    ['a longer path', `${CALLBACK}/more`],
    ['a query more', `${CALLBACK}?x=1`],
    ['another port', 'http://localhost:10/callback'],
    ['another case', 'http://localhost:9/Callback'],
    ['a slash more', `${CALLBACK}/`],
    ['a user part', 'http://localhost:9@evil.example/callback'],
    ['another spelling of the same', 'http://LOCALHOST:9/callback'],
  ] as const) {
    test(`never redirects to ${why}`, async () => {
      const seen = await visitor().open(authorizeUrl({ redirect_uri }));
      assert.equal(seen.status, 400);
      assert.equal(seen.url.origin, api.url);
      assert.match(seen.text, /invalid_redirect_uri/);
      assertSecurityHeaders(seen.headers);
    });
  }

  test('refuses a request without a redirect_uri, although the app has registered only one', async () => {
    const url = new URL(authorizeUrl(), api.url);
    url.searchParams.delete('redirect_uri');
    const seen = await visitor().open(url.href);
    assert.equal(seen.status, 400);
    assert.equal(seen.url.origin, api.url);
    assert.match(seen.text, /redirect_uri/);
    assertSecurityHeaders(seen.headers);
  });

  test('answers form_post, which the metadata does not offer, by a redirect with an error', async () => {
    assert.equal(await errorOf({ response_mode: 'form_post' }), 'unsupported_response_mode');
    const error = { response_mode: 'form_post', scope: 'donations:write' };
    const seen = await visitor().open(authorizeUrl(error));
    assert.equal(seen.url.origin + seen.url.pathname, CALLBACK);
    assert.doesNotMatch(seen.text, /<form|<script/);
  });

  test('guards redirects like pages', async () => {
    const init = { redirect: 'manual' } as const;
    const response = await fetch(new URL(authorizeUrl(), api.url), init);
    assert.equal(response.status, 303);
    assertSecurityHeaders(response.headers);
  });

  test('shows a page, not a redirect, for an app that does not exist', async () => {
    const seen = await visitor().open(authorizeUrl({ client_id: 'app_none' }));
    assert.equal(seen.status, 400);
    assert.match(seen.text, /invalid_client/);
  });

  test('keeps the query that a registered address has', async () => {
    const uri = `${CALLBACK}?tenant=7`;
    const other = await newApp([uri]);
    const { callback } = await connect({ client_id: other.id, redirect_uri: uri });
    assert.equal(callback.searchParams.get('tenant'), '7');
    assert.ok(callback.searchParams.get('code'));
  });

  for (const [error, why, params] of [
    ['unsupported_response_type', 'an implicit token', { response_type: 'token' }],
    [
      'invalid_request',
      'PKCE plain',
      { code_challenge: 'a'.repeat(43), code_challenge_method: 'plain' },
    ],
    [
      'invalid_request',
      'PKCE without a method, which means plain',
      { code_challenge: 'a'.repeat(43) },
    ],
    ['invalid_scope', 'a scope that does not exist', { scope: 'donations:read donations:write' }],
    ['invalid_scope', 'identity, which is not ours to give', { scope: 'openid donations:read' }],
    ['invalid_scope', 'nothing at all', { scope: '' }],
    ['invalid_scope', 'offline_access alone', { scope: 'offline_access' }],
    ['consent_required', 'no questions', { prompt: 'none' }],
  ] as const) {
    test(`answers ${error} when asked for ${why}`, async () => {
      const expected = error === 'consent_required' ? 'login_required' : error;
      assert.equal(await errorOf(params), expected);
    });
  }

  test('refuses a parameter that comes twice', async () => {
    const { url } = await visitor().open(`${authorizeUrl()}&state=other`);
    assert.equal(url.searchParams.get('error'), 'invalid_request');
  });

  test('ignores what OAuth 2.0 does not know', async () => {
    const { callback } = await connect({ nonce: 'n', max_age: '1', utm_source: 'x' });
    assert.ok(callback.searchParams.get('code'));
  });

  test('asks every time, however often the same was approved', async () => {
    const { person } = await connect();
    const again = await person.open(authorizeUrl());
    assert.match(again.url.pathname, /^\/consent\//);
  });

  test('one person after another in one browser', async () => {
    const { person } = await connect();
    const page = await person.open(authorizeUrl());
    const signedOut = await person.send(page, '/sign-out', {});
    assert.equal(signedOut.url.pathname, '/sign-in');
    const { email } = { email: 'admin@harborstreet.example' };
    const password = 'harbor-street-demo';
    const back = await person.send(signedOut, '/sign-in', { email, password });
    const fields = { organization: 'org_harbor', decision: 'approve' };
    const { url } = await person.send(back, back.url.pathname, fields);
    assert.ok(url.searchParams.get('code'));
  });
});

describe('the metadata (RFC 8414)', () => {
  test('is where the issuer says', async () => {
    const response = await fetch(`${api.url}/.well-known/oauth-authorization-server`);
    const body = (await response.json()) as Record<string, unknown>;
    assert.equal(body['issuer'], api.url);
    assert.equal(body['authorization_endpoint'], `${api.url}/api/auth/oauth2/authorize`);
    assert.equal(body['token_endpoint'], `${api.url}/api/auth/oauth2/token`);
    assert.deepEqual(body['code_challenge_methods_supported'], ['S256']);
    assert.deepEqual(body['response_modes_supported'], ['query', 'fragment']);
    assert.equal(body['authorization_response_iss_parameter_supported'], true);
  });

  test('names an app that the owner never sees the secret of', () => {
    assert.match(app.id, /^app_/);
    assert.match(app.secret, /^gbs_[\w-]{43}$/);
  });
});
