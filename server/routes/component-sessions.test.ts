import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { serve } from '@hono/node-server';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { errorOf, openServer, SESSION_SECRET } from '../test-support/embedding-page.ts';
import { errorResponse, startUpstream, stopServer } from '../test-support/upstream.ts';

const VIEWER_SECRET = 'a viewer secret of this test that is long enough';
const REQUEST_BODY = { components: ['donations', 'payouts'] };

const upstream = await startUpstream();
const openTestServer = (config = {}) => openServer(upstream.apiBase, config);
const bytes = (secret: string) => new TextEncoder().encode(secret);
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

const viewerToken = (
  claims: object = {},
  { secret = VIEWER_SECRET, alg = 'HS256', exp = '5m' } = {},
) => {
  const token = new SignJWT({ sub: 'viewer', aud: 'a', iss: 'me', ...claims }).setProtectedHeader({
    alg,
  });
  return (exp ? token.setExpirationTime(exp) : token).sign(bytes(secret));
};

const { publicKey, privateKey } = await generateKeyPair('ES256');
const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256' };
const keys = serve({ fetch: () => Response.json({ keys: [jwk] }), port: 0, hostname: '127.0.0.1' });
await once(keys, 'listening');
after(() => stopServer(keys));
const jwksUrl = `http://127.0.0.1:${(keys.address() as AddressInfo).port}/jwks.json`;

describe('POST /component-sessions', () => {
  test('is rejected until the host has configured who may see the data', async () => {
    const error = await errorOf(await openTestServer().post('/component-sessions', REQUEST_BODY));
    assert.deepEqual([error.status, error.type], [403, 'forbidden']);
    assert.match(error.message, /authorize.*viewer.*connect\.config\.ts.*VIEWER_SECRET/);
    assert.equal(upstream.calls.length, 0);
  });

  test('opens a session for a viewer token, and returns the API’s URL', async () => {
    const page = openTestServer({ viewer: { secret: VIEWER_SECRET } });
    const response = await page.post(
      '/component-sessions',
      REQUEST_BODY,
      bearer(await viewerToken()),
    );
    assert.equal(response.status, 201);
    assert.partialDeepStrictEqual(await response.json(), {
      object: 'component_session',
      components: ['donations', 'payouts'],
      api_base: upstream.apiBase,
    });
    assert.deepEqual(upstream.calls[0]?.body, REQUEST_BODY);
  });

  test('returns the public URL of the API if configured', async () => {
    const publicApiBase = 'https://api.example.org/api/v1';
    const page = openTestServer({ viewer: { secret: VIEWER_SECRET }, publicApiBase });
    const response = await page.post(
      '/component-sessions',
      REQUEST_BODY,
      bearer(await viewerToken()),
    );
    assert.partialDeepStrictEqual(await response.json(), { api_base: publicApiBase });
  });

  test('allows only the components in the viewer token', async () => {
    const page = openTestServer({ viewer: { secret: VIEWER_SECRET } });
    const token = await viewerToken({ components: ['donations'] });
    const error = await errorOf(
      await page.post('/component-sessions', REQUEST_BODY, bearer(token)),
    );
    assert.deepEqual([error.status, error.type], [403, 'forbidden']);
    assert.match(error.message, /payouts/);
  });

  for (const components of ['donations', 'donations payouts', null, {}, 1]) {
    test(`opens no session for a token whose components are ${JSON.stringify(components)}`, async () => {
      const page = openTestServer({ viewer: { secret: VIEWER_SECRET } });
      const headers = bearer(await viewerToken({ components }));
      assert.equal((await page.post('/component-sessions', REQUEST_BODY, headers)).status, 403);
      assert.equal(upstream.calls.length, 0);
    });
  }

  describe('rejects a viewer token that', () => {
    const unsigned = ['{"alg":"none"}', '{"sub":"x","exp":9000000000}']
      .map((part) => Buffer.from(part).toString('base64url'))
      .join('.');
    for (const [description, token, message] of [
      ['is missing', undefined, /missing/],
      ['is malformed', 'a.b.c', /not valid/],
      ['is unsigned', `${unsigned}.`, /not valid/],
      ['has another key', viewerToken({}, { secret: 'x'.repeat(40) }), /not valid/],
      [
        'has another algorithm',
        viewerToken({}, { secret: VIEWER_SECRET.repeat(2), alg: 'HS512' }),
        /not valid/,
      ],
      ['has expired', viewerToken({}, { exp: '-1m' }), /expired/],
      ['never expires', viewerToken({}, { exp: '' }), /not valid/],
      ['is for another site', viewerToken({ aud: 'b' }), /not valid/],
      ['is from another issuer', viewerToken({ iss: 'you' }), /not valid/],
      ['is a visitor token', viewerToken({}, { secret: SESSION_SECRET }), /not valid/],
    ] as const) {
      test(description, async () => {
        const page = openTestServer({
          viewer: { secret: VIEWER_SECRET, audience: 'a', issuer: 'me' },
        });
        const headers: Record<string, string> = token === undefined ? {} : bearer(await token);
        const error = await errorOf(await page.post('/component-sessions', REQUEST_BODY, headers));
        assert.deepEqual([error.status, error.type], [401, 'unauthorized']);
        assert.match(error.message, message);
        assert.equal(upstream.calls.length, 0);
      });
    }
  });

  test('rejects a configuration with one secret for visitors and viewers', () => {
    assert.throws(
      () => openTestServer({ viewer: { secret: SESSION_SECRET } }),
      /viewer\.secret must differ/,
    );
  });

  describe('with a JWKS', () => {
    test('accepts a token signed with one of its keys', async () => {
      const header = { alg: 'ES256', kid: 'one' };
      const token = new SignJWT({}).setProtectedHeader(header).setExpirationTime('5m');
      const page = openTestServer({ viewer: { jwksUrl } });
      const headers = bearer(await token.sign(privateKey));
      assert.equal((await page.post('/component-sessions', REQUEST_BODY, headers)).status, 201);
    });

    test('rejects a token signed with the public key as a secret', async () => {
      const token = new SignJWT({}).setProtectedHeader({ alg: 'HS256', kid: 'one' });
      const forgedToken = await token.setExpirationTime('5m').sign(bytes(JSON.stringify(jwk)));
      const page = openTestServer({ viewer: { jwksUrl } });
      assert.equal(
        (await page.post('/component-sessions', REQUEST_BODY, bearer(forgedToken))).status,
        401,
      );
    });

    test('returns 503 and not 401 when the keys cannot be fetched', async () => {
      const header = { alg: 'ES256', kid: 'one' };
      const token = await new SignJWT({})
        .setProtectedHeader(header)
        .setExpirationTime('5m')
        .sign(privateKey);
      const page = openTestServer({ viewer: { jwksUrl: 'http://127.0.0.1:9/jwks.json' } });
      const response = await page.post('/component-sessions', REQUEST_BODY, bearer(token));
      assert.equal(response.headers.get('retry-after'), '5');
      assert.equal(response.status, 503);
    });
  });

  describe('with the host’s authorize hook', () => {
    for (const [description, permission, status] of [
      ['true', true, 201],
      ['all requested components', { components: ['donations', 'payouts'] }, 201],
      ['an object without components', {}, 201],
      ['false', false, 403],
      ['other components', { components: ['donors'] }, 403],
      ['undefined', undefined, 403],
    ] as const) {
      test(`returns ${status} when the hook returns ${description}`, async () => {
        const page = openTestServer({ authorize: () => Promise.resolve(permission) });
        assert.equal((await page.post('/component-sessions', REQUEST_BODY)).status, status);
      });
    }

    test('calls the hook with a copy of the request, so that the hook can read the body too', async () => {
      const page = openTestServer({
        authorize: async (request: Request) => {
          await request.text();
          return request.headers.get('cookie') === 'session=ada';
        },
      });
      const openSession = (cookie: string) =>
        page.post('/component-sessions', REQUEST_BODY, { cookie });
      assert.equal((await openSession('session=ada')).status, 201);
      assert.equal((await openSession('session=eve')).status, 403);
    });

    test('returns a bare 500 when the hook throws, and opens no session', async () => {
      const page = openTestServer({
        authorize: () => {
          throw new Error('database password');
        },
      });
      const error = await errorOf(await page.post('/component-sessions', REQUEST_BODY));
      assert.deepEqual([error.status, error.type], [500, 'server_error']);
      assert.doesNotMatch(error.message, /password/);
      assert.equal(upstream.calls.length, 0);
    });
  });

  for (const [description, body, field] of [
    ['no components', { components: [] }, 'components'],
    ['an unknown component', { components: ['keys'] }, 'components.0'],
    ['an unknown field', { ...REQUEST_BODY, organization_id: 'org_2' }, 'organization_id'],
  ] as const) {
    test(`rejects ${description}, naming ${field}`, async () => {
      const page = openTestServer({ authorize: () => true });
      const error = await errorOf(await page.post('/component-sessions', body));
      assert.equal(error.status, 400);
      assert.match(error.message, new RegExp(`^${field} `));
    });
  }

  test('limits component sessions, so that donations keep their share of the credential’s rate limit', async () => {
    const page = openTestServer({
      authorize: () => true,
      limits: { components: { points: 1, seconds: 60 } },
    });
    assert.equal((await page.post('/component-sessions', REQUEST_BODY)).status, 201);
    const response = await page.post('/component-sessions', REQUEST_BODY);
    assert.equal(response.status, 429);
    assert.ok(Number(response.headers.get('retry-after')) > 50);
    assert.equal((await page.post('/embed-sessions', {})).status, 201);
  });

  test('returns 503 if the credential lacks a scope', async () => {
    const page = openTestServer({ authorize: () => true });
    upstream.failWith(() => errorResponse(403, 'insufficient_scope', 'payouts:read is missing.'));
    const error = await errorOf(await page.post('/component-sessions', REQUEST_BODY));
    assert.deepEqual([error.status, error.type], [503, 'unavailable']);
    assert.ok(page.lines.some(({ error }) => /payouts:read/.test(String(error))));
  });
});
