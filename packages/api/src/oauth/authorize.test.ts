import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CALLBACK, startOauth } from '../../test-support/app/start-oauth.ts';
import { textsOf } from '../../test-support/browser/read-document.ts';

const { api, app, newApp, authorizeUrl, connect, exchange, visitor } = await startOauth();

/** Returns the error with which an app is redirected before any consent page is shown. */
async function errorOf(params: Record<string, string>) {
  const { url } = await visitor().open(authorizeUrl(params));
  // For response types other than `code`, the error is in the URL fragment.
  if (url.hash) url.search = `?${url.hash.slice(1)}`;
  assert.equal(url.origin + url.pathname, CALLBACK);
  assert.equal(url.searchParams.get('state'), 'some-state');
  assert.equal(url.searchParams.get('iss'), api.url);
  return url.searchParams.get('error');
}

/** Asserts that the response allows no scripts, frames, caching, content sniffing or referrer. */
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
  test('redirects an approving owner to the callback with code, state and iss', async () => {
    const { callback } = await connect({ state: 'a b&c=d/é' });
    assert.equal(callback.origin + callback.pathname, CALLBACK);
    assert.deepEqual([...callback.searchParams.keys()].sort(), ['code', 'iss', 'state']);
    assert.equal(callback.searchParams.get('state'), 'a b&c=d/é');
    assert.equal(callback.searchParams.get('iss'), api.url);
  });

  test('redirects with access_denied when the member denies', async () => {
    const { callback } = await connect({}, { decision: 'refuse' });
    assert.equal(callback.searchParams.get('error'), 'access_denied');
    assert.equal(callback.searchParams.get('iss'), api.url);
    assert.equal(callback.searchParams.get('code'), null);
  });

  for (const [description, redirect_uri] of [
    ['another path', 'http://localhost:9/other'],
    ['a longer path', `${CALLBACK}/more`],
    ['an added query', `${CALLBACK}?x=1`],
    ['another port', 'http://localhost:10/callback'],
    ['another letter case', 'http://localhost:9/Callback'],
    ['an added slash', `${CALLBACK}/`],
    ['a user part', 'http://localhost:9@evil.example/callback'],
    ['the same URL in another spelling', 'http://LOCALHOST:9/callback'],
  ] as const) {
    test(`never redirects to ${description}`, async () => {
      const page = await visitor().open(authorizeUrl({ redirect_uri }));
      assert.equal(page.status, 400);
      assert.equal(page.url.origin, api.url);
      assert.match(page.text, /invalid_redirect_uri/);
      assertSecurityHeaders(page.headers);
    });
  }

  for (const [registered, requested] of [
    ['http://127.0.0.1/callback', 'http://127.0.0.1:51004/callback'],
    ['http://127.0.0.1:8080/callback?tenant=7', 'http://127.0.0.1:51004/callback?tenant=7'],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:51004'],
    ['http://[::1]:8080/callback', 'http://[::1]:51004/callback'],
    ['http://[::1]:8080/callback', 'http://[::1]/callback'],
  ] as const) {
    test(`redirects an app with ${registered} to ${requested} (RFC 8252, 7.3)`, async () => {
      const native = await newApp([registered]);
      const client = { client_id: native.id, client_secret: native.secret };
      const request = { client_id: native.id, redirect_uri: requested };
      const { callback, page } = await connect(request);
      assert.ok(textsOf(page.document, 'strong').includes(new URL(requested).host));
      assert.equal(callback.origin, new URL(requested).origin);
      const otherPort = await exchange(callback, { ...client, redirect_uri: registered });
      assert.equal(otherPort.body.error, 'invalid_grant');
      const { body } = await exchange((await connect(request)).callback, {
        ...client,
        redirect_uri: requested,
      });
      assert.match(body.access_token, /^gba_/);
    });
  }

  for (const [registered, requested] of [
    ['http://127.0.0.1:8080/callback', 'http://127.0.0.1:51004/other'],
    ['http://127.0.0.1:8080/callback', 'http://127.0.0.1:51004/callback?x=1'],
    ['http://127.0.0.1:8080/callback', 'http://127.0.0.1:51004@evil.example/callback'],
    ['http://127.0.0.1:8080/callback', 'http://127.0.0.1.evil.example:8080/callback'],
    ['http://127.0.0.1:8080/callback', 'http://127.0.0.1:99999/callback'],
    ['http://127.0.0.1:8080/callback', 'http://127.0.0.1:/callback'],
    ['http://127.0.0.1:8080/callback', 'https://127.0.0.1:51004/callback'],
    ['http://127.0.0.1:8080/callback', 'http://127.0.0.2:8080/callback'],
    ['http://127.0.0.1:8080/callback', 'http://[::1]:8080/callback'],
    ['https://127.0.0.1:8080/callback', 'https://127.0.0.1:51004/callback'],
    ['https://platform.example.com/callback', 'https://platform.example.com:51004/callback'],
  ] as const) {
    test(`never redirects an app with ${registered} to ${requested}`, async () => {
      const { id } = await newApp([registered]);
      const params = { client_id: id, redirect_uri: requested };
      const page = await visitor().open(authorizeUrl(params));
      assert.equal(page.status, 400);
      assert.equal(page.url.origin, api.url);
      assert.match(page.text, /invalid_redirect_uri/);
    });
  }

  test('rejects a request without redirect_uri, even if the app has registered only one', async () => {
    const url = new URL(authorizeUrl(), api.url);
    url.searchParams.delete('redirect_uri');
    const page = await visitor().open(url.href);
    assert.equal(page.status, 400);
    assert.equal(page.url.origin, api.url);
    assert.match(page.text, /redirect_uri/);
    assertSecurityHeaders(page.headers);
  });

  test('rejects response_mode form_post with an error redirect', async () => {
    assert.equal(await errorOf({ response_mode: 'form_post' }), 'unsupported_response_mode');
    const error = { response_mode: 'form_post', scope: 'donations:write' };
    const page = await visitor().open(authorizeUrl(error));
    assert.equal(page.url.origin + page.url.pathname, CALLBACK);
    assert.equal(page.document.querySelector('form, script'), null);
  });

  test('sets security headers on redirects', async () => {
    const init = { redirect: 'manual' } as const;
    const response = await fetch(new URL(authorizeUrl(), api.url), init);
    assert.equal(response.status, 303);
    assertSecurityHeaders(response.headers);
  });

  test('shows an error page instead of a redirect for an unknown app', async () => {
    const page = await visitor().open(authorizeUrl({ client_id: 'app_none' }));
    assert.equal(page.status, 400);
    assert.match(page.text, /invalid_client/);
  });

  test('keeps the query string of a registered redirect URI', async () => {
    const uri = `${CALLBACK}?tenant=7`;
    const other = await newApp([uri]);
    const { callback } = await connect({ client_id: other.id, redirect_uri: uri });
    assert.equal(callback.searchParams.get('tenant'), '7');
    assert.ok(callback.searchParams.get('code'));
  });

  for (const [error, description, params] of [
    ['unsupported_response_type', 'an implicit grant', { response_type: 'token' }],
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
    ['invalid_scope', 'an identity scope', { scope: 'openid donations:read' }],
    ['invalid_scope', 'no scope', { scope: '' }],
    ['invalid_scope', 'offline_access alone', { scope: 'offline_access' }],
    ['consent_required', 'a response without consent (prompt=none)', { prompt: 'none' }],
  ] as const) {
    test(`responds ${error} to a request for ${description}`, async () => {
      const expected = error === 'consent_required' ? 'login_required' : error;
      assert.equal(await errorOf(params), expected);
    });
  }

  test('rejects a repeated parameter', async () => {
    const { url } = await visitor().open(`${authorizeUrl()}&state=other`);
    assert.equal(url.searchParams.get('error'), 'invalid_request');
  });

  test('ignores parameters unknown to OAuth 2.0', async () => {
    const { callback } = await connect({ nonce: 'n', max_age: '1', utm_source: 'x' });
    assert.ok(callback.searchParams.get('code'));
  });

  test('shows the consent page every time, even if the same request was approved before', async () => {
    const { person } = await connect();
    const secondPage = await person.open(authorizeUrl());
    assert.match(secondPage.url.pathname, /^\/consent\//);
  });

  test('allows different people in one browser, one after another', async () => {
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
  test('is served at the well-known path and names the issuer', async () => {
    const response = await fetch(`${api.url}/.well-known/oauth-authorization-server`);
    const body = (await response.json()) as Record<string, unknown>;
    assert.equal(body['issuer'], api.url);
    assert.equal(body['authorization_endpoint'], `${api.url}/api/auth/oauth2/authorize`);
    assert.equal(body['token_endpoint'], `${api.url}/api/auth/oauth2/token`);
    assert.deepEqual(body['code_challenge_methods_supported'], ['S256']);
    assert.deepEqual(body['response_modes_supported'], ['query', 'fragment']);
    assert.equal(body['authorization_response_iss_parameter_supported'], true);
  });

  test('an app has an app_ id and a gbs_ secret', () => {
    assert.match(app.id, /^app_/);
    assert.match(app.secret, /^gbs_[\w-]{43}$/);
  });
});
