import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { within } from '../../test-support/app/within.ts';
import { CALLBACK, startOauth } from '../../test-support/app/start-oauth.ts';
import { hashToken } from '../lib/id.ts';
import { rotateAppSecret } from './apps.ts';

const oauth = await startOauth();
const { api, app, newApp, client, connect, exchange, post, refresh, tokens } = oauth;

const isAccepted = async (token: string) =>
  (await api.get('/donations?limit=1', token)).status === 200;

/** Moves the expiry and consumption time of a token into the past by `seconds`. */
async function ageToken(token: string, seconds: number): Promise<void> {
  const row = { token_hash: hashToken(token) };
  const used = new Date(Date.now() - seconds * 1000);
  const { consumed_at, expires_at } = await api.db
    .selectFrom('oauth_token')
    .selectAll()
    .where('token_hash', '=', row.token_hash)
    .executeTakeFirstOrThrow();
  const earlier = (date: Date) => new Date(date.getTime() - seconds * 1000);
  await api.db
    .updateTable('oauth_token')
    .set({ expires_at: earlier(expires_at), consumed_at: consumed_at && used })
    .where('token_hash', '=', row.token_hash)
    .execute();
}

describe('redeeming a code', () => {
  test('the specification’s own flow: secret in the form, no PKCE, offline_access', async () => {
    const { callback } = await connect({ scope: 'donations:read offline_access' });
    const { status, headers, body } = await exchange(callback);
    assert.equal(status, 200);
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.match(body.access_token, /^gba_[\w-]{43}$/);
    assert.match(body.refresh_token, /^gbr_[\w-]{43}$/);
    assert.equal(body.token_type, 'Bearer');
    assert.equal(body.expires_in, 3600);
    assert.equal(body.organization_id, 'org_harbor');
    assert.deepEqual(body.scope.split(' ').sort(), ['donations:read', 'offline_access']);
    assert.ok(await isAccepted(body.access_token));
  });

  test('returns no refresh token without offline_access', async () => {
    const { body } = await exchange((await connect({ scope: 'donations:read' })).callback);
    assert.ok(body.access_token);
    assert.equal(body.refresh_token, undefined);
  });

  test('accepts the secret by Basic authentication', async () => {
    const { callback } = await connect();
    const authorization = `Basic ${btoa(`${app.id}:${app.secret}`)}`;
    const fields = { grant_type: 'authorization_code', redirect_uri: CALLBACK };
    const code = callback.searchParams.get('code') ?? '';
    const { status } = await post('token', { ...fields, code }, { authorization });
    assert.equal(status, 200);
  });

  test('of fifty simultaneous redemptions exactly one succeeds, and its token works', async () => {
    const { callback } = await connect();
    const responses = await Promise.all(Array.from({ length: 50 }, () => exchange(callback)));
    const succeeded = responses.filter(({ status }) => status === 200);
    assert.equal(succeeded.length, 1);
    for (const { status, body } of responses) {
      if (status !== 200) assert.equal(body.error, 'invalid_grant');
    }
    assert.ok(await isAccepted(succeeded[0]!.body.access_token));
  });

  test('a second redemption is rejected; after ten seconds it also revokes the first tokens', async () => {
    const { callback } = await connect();
    const first = await exchange(callback);
    const second = await exchange(callback);
    assert.deepEqual([second.status, second.body.error], [400, 'invalid_grant']);
    assert.ok(await isAccepted(first.body.access_token));
    await ageToken(callback.searchParams.get('code') ?? '', 11);
    const third = await exchange(callback);
    assert.deepEqual([third.status, third.body.error], [400, 'invalid_grant']);
    assert.equal(await isAccepted(first.body.access_token), false);
  });

  const verifier = 'v'.repeat(64);
  const challenge = {
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  };

  test('PKCE: accepts the right verifier', async () => {
    const { callback } = await connect(challenge);
    assert.equal((await exchange(callback, { code_verifier: verifier })).status, 200);
  });

  for (const [description, params, fields] of [
    ['a wrong verifier', challenge, { code_verifier: 'w'.repeat(64) }],
    ['no verifier after a challenge', challenge, {}],
    ['a verifier without a challenge', {}, { code_verifier: verifier }],
    ['another redirect_uri', {}, { redirect_uri: 'http://localhost:9/other' }],
    ['an unknown code', {}, { code: 'nonsense' }],
  ] as const) {
    test(`${description} is invalid_grant`, async () => {
      const { callback } = await connect(params);
      const { status, body } = await exchange(callback, fields);
      assert.deepEqual([status, body.error], [400, 'invalid_grant']);
    });
  }

  test('requires the redirect_uri of the authorization request (RFC 6749, 4.1.3)', async () => {
    const { callback } = await connect();
    const code = callback.searchParams.get('code') ?? '';
    const fields = { grant_type: 'authorization_code', code, ...client() };
    const { status, body } = await post('token', fields);
    assert.deepEqual([status, body.error], [400, 'invalid_request']);
    assert.match(body.error_description, /redirect_uri/);
    assert.equal((await exchange(callback)).status, 200);
  });

  test('rejects a code of another app', async () => {
    const other = await newApp();
    const { callback } = await connect();
    const otherClient = { client_id: other.id, client_secret: other.secret };
    const { status, body } = await exchange(callback, otherClient);
    assert.deepEqual([status, body.error], [400, 'invalid_grant']);
  });

  test('a code expires after a minute', async () => {
    const { callback } = await connect();
    const code = callback.searchParams.get('code') ?? '';
    const row = await api.db
      .selectFrom('oauth_token')
      .select('payload')
      .where('token_hash', '=', hashToken(code))
      .executeTakeFirstOrThrow();
    const { iat, exp } = row.payload as { iat: number; exp: number };
    // The library reads the clock once for each value, in whole seconds.
    assert.ok(exp - iat <= 60 && exp - iat >= 59, `${exp - iat} s`);
  });
});

describe('errors of POST /token (RFC 6749, 5.2)', () => {
  const code = { grant_type: 'authorization_code', code: 'x', redirect_uri: CALLBACK };
  for (const [status, error, description, fields] of [
    [401, 'invalid_client', 'a wrong secret', { ...code, client_secret: 'gbs_wrong' }],
    [401, 'invalid_client', 'an app that does not exist', { ...code, client_id: 'app_none' }],
    [400, 'unsupported_grant_type', 'the password grant', { grant_type: 'password' }],
    [
      400,
      'unsupported_grant_type',
      'the client credentials grant',
      { grant_type: 'client_credentials' },
    ],
    [400, 'invalid_request', 'no grant type', {}],
    [400, 'invalid_request', 'no code', { grant_type: 'authorization_code' }],
  ] as const) {
    test(`${status} ${error} for ${description}`, async () => {
      const response = await post('token', { ...oauth.client(), ...fields });
      assert.deepEqual([response.status, response.body.error], [status, error]);
      assert.equal(response.headers.get('cache-control'), 'no-store');
      assert.equal(response.headers.get('pragma'), 'no-cache');
      const challenge = response.headers.get('www-authenticate');
      if (status === 401) assert.match(challenge ?? '', /^Basic realm=/);
      else assert.equal(challenge, null);
      assert.match(response.headers.get('content-type') ?? '', /^application\/json/);
    });
  }

  test('401 invalid_client without a secret or without a client, on every endpoint', async () => {
    for (const path of ['token', 'revoke', 'introspect']) {
      for (const fields of [{}, { client_id: app.id }]) {
        const response = await post(path, { ...code, token: 'x', ...fields });
        assert.deepEqual([response.status, response.body.error], [401, 'invalid_client'], path);
        assert.match(response.headers.get('www-authenticate') ?? '', /^Basic realm=/);
      }
    }
  });

  test('401 has a WWW-Authenticate header for Basic authentication', async () => {
    const authorization = `Basic ${btoa(`${app.id}:gbs_wrong`)}`;
    const { status, headers } = await post('token', code, { authorization });
    assert.equal(status, 401);
    assert.match(headers.get('www-authenticate') ?? '', /^Basic realm=/);
  });

  test('two authentication methods in one request are rejected', async () => {
    const authorization = `Basic ${btoa(`${app.id}:${app.secret}`)}`;
    const { body } = await post('token', { ...oauth.client(), ...code }, { authorization });
    assert.equal(body.error, 'invalid_request');
  });

  test('rejects a JSON body', async () => {
    const init = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } };
    const response = await fetch(`${api.url}/api/auth/oauth2/token`, init);
    assert.equal(response.status, 400);
    assert.equal(((await response.json()) as { error: string }).error, 'invalid_request');
  });

  test('rejects GET with 405', async () => {
    const response = await fetch(`${api.url}/api/auth/oauth2/token`);
    assert.equal(response.status, 405);
    assert.match(response.headers.get('allow') ?? '', /POST/);
  });
});

test('rotating the client secret invalidates the old one immediately', async () => {
  const other = await newApp();
  const fields = { grant_type: 'refresh_token', refresh_token: 'x', client_id: other.id };
  const errorWith = async (client_secret: string) =>
    (await post('token', { ...fields, client_secret })).body.error;
  assert.equal(await errorWith(other.secret), 'invalid_grant', 'the app is known');
  const secret = (await rotateAppSecret(api.db, { id: other.id })) ?? '';
  assert.equal(await errorWith(other.secret), 'invalid_client');
  assert.equal(await errorWith(secret), 'invalid_grant');
});

describe('refreshing', () => {
  test('returns new tokens for the same organization', async () => {
    const old = await tokens();
    const { status, body } = await refresh(old.refresh_token);
    assert.equal(status, 200);
    assert.notEqual(body.refresh_token, old.refresh_token);
    assert.notEqual(body.access_token, old.access_token);
    assert.ok(await isAccepted(body.access_token));
  });

  test('after a lost response the old refresh token works for thirty more seconds', async () => {
    const { first, repeated } = await within(1000, async (startTimer) => {
      const old = await tokens();
      const first = await refresh(old.refresh_token);
      startTimer();
      await ageToken(old.refresh_token, 29);
      return { first, repeated: await refresh(old.refresh_token) };
    });
    assert.equal(repeated.status, 200);
    assert.equal((await refresh(first.body.refresh_token)).status, 200);
  });

  test('ten simultaneous refreshes all succeed', async () => {
    const old = await tokens();
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => refresh(old.refresh_token)),
    );
    assert.deepEqual([...new Set(responses.map(({ status }) => status))], [200]);
  });

  test('a later replay revokes this grant and no other', async () => {
    const replayed = await tokens();
    const sameOrganization = await tokens();
    const otherOrganization = await tokens({}, { organization: 'org_lantern' });
    const next = await refresh(replayed.refresh_token);
    await ageToken(replayed.refresh_token, 31);
    const replay = await refresh(replayed.refresh_token);
    assert.deepEqual([replay.status, replay.body.error], [400, 'invalid_grant']);
    assert.equal(await isAccepted(replayed.access_token), false);
    assert.equal(await isAccepted(next.body.access_token), false);
    assert.equal((await refresh(next.body.refresh_token)).body.error, 'invalid_grant');
    for (const { access_token, refresh_token } of [sameOrganization, otherOrganization]) {
      assert.ok(await isAccepted(access_token));
      assert.equal((await refresh(refresh_token)).status, 200);
    }
  });

  test('can reduce the scopes but not extend them', async () => {
    const { refresh_token } = await tokens({ scope: 'donations:read donors:read offline_access' });
    const reduced = await refresh(refresh_token, { scope: 'donors:read' });
    assert.equal(reduced.body.scope, 'donors:read');
    assert.equal((await api.get('/donations', reduced.body.access_token)).status, 403);
    const extended = await refresh(reduced.body.refresh_token, { scope: 'payouts:read' });
    assert.deepEqual([extended.status, extended.body.error], [400, 'invalid_scope']);
  });

  test('a refresh token lasts 30 days', async () => {
    const { refresh_token } = await tokens();
    const { expires_at } = await api.db
      .selectFrom('oauth_token')
      .select('expires_at')
      .where('token_hash', '=', hashToken(refresh_token))
      .executeTakeFirstOrThrow();
    const days = (expires_at.getTime() - Date.now()) / 86_400_000;
    assert.ok(days > 29.99 && days <= 30);
  });

  test('rejects a refresh token of another app', async () => {
    const other = await newApp();
    const { refresh_token } = await tokens();
    const otherClient = { client_id: other.id, client_secret: other.secret };
    const { status, body } = await refresh(refresh_token, otherClient);
    assert.deepEqual([status, body.error], [400, 'invalid_grant']);
  });
});

describe('an access token', () => {
  test('is bound to the organization that approved', async () => {
    const read = async (organization: string) => {
      const scope = 'reference:read';
      const { access_token } = await tokens({ scope }, { organization });
      return ((await (await api.get('/organization', access_token)).json()) as { id: string }).id;
    };
    assert.equal(await read('org_harbor'), 'org_harbor');
    assert.equal(await read('org_lantern'), 'org_lantern');
  });

  test('expires after an hour', async () => {
    const { access_token, acceptedBefore } = await within(1000, async (startTimer) => {
      const { callback } = await connect();
      startTimer();
      const { access_token } = (await exchange(callback)).body;
      await ageToken(access_token, 3599);
      return { access_token, acceptedBefore: await isAccepted(access_token) };
    });
    assert.ok(acceptedBefore);
    await ageToken(access_token, 2);
    assert.equal((await api.get('/donations', access_token)).status, 401);
  });

  test('lacks scopes that were not requested', async () => {
    const { access_token } = await tokens({ scope: 'donations:read' });
    const response = await api.get('/payouts', access_token);
    assert.equal(response.status, 403);
    assert.match(await response.text(), /payouts:read/);
  });
});
