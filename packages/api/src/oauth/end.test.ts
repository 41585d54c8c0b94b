import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ADMIN, OWNER, startOauth } from '../../test-support/app/start-oauth.ts';
import { endMembership, setMembership } from '../users/membership.ts';
import { listConnections, revokeConnection } from './connections.ts';

const oauth = await startOauth();
const { api, app, newApp, post, refresh, tokens } = oauth;

const statusOf = async (token: string, path = '/donations?limit=1') =>
  (await api.get(path, token)).status;

const revoke = (token: string, fields: Record<string, string> = {}) =>
  post('revoke', { ...oauth.client(), token, ...fields });

/** Introspection response (RFC 7662). */
interface Introspection {
  active: boolean;
  scope?: string;
  client_id?: string;
  exp?: number;
  organization_id?: string;
}
const introspect = async (token: string, fields: Record<string, string> = {}) => {
  const { status, body } = await post('introspect', { ...oauth.client(), token, ...fields });
  return { status, body: body as unknown as Introspection };
};

describe('revocation (RFC 7009)', () => {
  test('an access token ends immediately, while its refresh token stays valid', async () => {
    const { access_token, refresh_token } = await tokens();
    assert.equal((await revoke(access_token)).status, 200);
    assert.equal(await statusOf(access_token), 401);
    assert.equal((await refresh(refresh_token)).status, 200);
  });

  test('revoking a refresh token also ends its access tokens', async () => {
    const { access_token, refresh_token } = await tokens();
    assert.equal((await revoke(refresh_token)).status, 200);
    assert.equal(await statusOf(access_token), 401);
    assert.equal((await refresh(refresh_token)).body.error, 'invalid_grant');
  });

  test('an unknown token is not an error', async () => {
    assert.equal((await revoke('nonsense')).status, 200);
    assert.equal((await revoke('gba_'.padEnd(47, 'x'))).status, 200);
  });

  test('a wrong token_type_hint is ignored', async () => {
    const { access_token } = await tokens();
    assert.equal((await revoke(access_token, { token_type_hint: 'refresh_token' })).status, 200);
    assert.equal(await statusOf(access_token), 401);
  });

  test('does not revoke a token of another app', async () => {
    const other = await newApp();
    const { access_token } = await tokens();
    const otherClient = { client_id: other.id, client_secret: other.secret };
    assert.equal((await revoke(access_token, otherClient)).status, 200);
    assert.equal(await statusOf(access_token), 200);
  });

  test('requires the client secret', async () => {
    const { access_token } = await tokens();
    const response = await revoke(access_token, { client_secret: 'gbs_wrong' });
    assert.deepEqual([response.status, response.body.error], [401, 'invalid_client']);
    assert.equal(await statusOf(access_token), 200);
  });
});

describe('introspection (RFC 7662)', () => {
  test('describes the app’s own tokens', async () => {
    const { access_token } = await tokens();
    const { status, body } = await introspect(access_token);
    assert.equal(status, 200);
    assert.equal(body.active, true);
    assert.equal(body.client_id, app.id);
    assert.equal(body.organization_id, 'org_harbor');
    assert.match(body.scope ?? '', /donations:read/);
    assert.ok(body.exp! > Date.now() / 1000 + 3500);
  });

  test('responds only inactive for any other token', async () => {
    const other = await newApp();
    const { access_token } = await tokens();
    const otherClient = { client_id: other.id, client_secret: other.secret };
    assert.deepEqual((await introspect(access_token, otherClient)).body, { active: false });
    assert.deepEqual((await introspect('nonsense')).body, { active: false });
    await revoke(access_token);
    assert.deepEqual((await introspect(access_token)).body, { active: false });
  });
});

const admin = await oauth.personId(ADMIN);

describe('a member who approved', () => {
  const request = {
    scope: 'donations:read donors:read payouts:read payments:write offline_access',
  };
  const setRole = (role: 'owner' | 'admin' | 'member') =>
    setMembership(api.db, { organizationId: 'org_harbor', personId: admin, role });

  test('grants only the scopes that they hold', async () => {
    const { access_token, scope } = await tokens(request, { as: ADMIN });
    assert.deepEqual(scope.split(' ').sort(), ['donations:read', 'donors:read', 'offline_access']);
    assert.equal(await statusOf(access_token), 200);
    assert.equal(await statusOf(access_token, '/payouts'), 403);
  });

  test('and is demoted: the token loses its scopes with the next request', async () => {
    const { access_token, refresh_token } = await tokens(request, { as: ADMIN });
    const session = await api.post('/component-sessions', access_token, {
      components: ['donations'],
    });
    const { token } = (await session.json()) as { token: string };
    assert.equal(await statusOf(token), 200);
    await setRole('member');
    assert.equal(await statusOf(access_token), 403);
    assert.equal(await statusOf(token), 403);
    const next = await refresh(refresh_token);
    assert.equal(await statusOf(next.body.access_token), 403);
    await setRole('admin');
    assert.equal(await statusOf(access_token), 200);
  });

  test('and loses one permission: the token loses that scope', async () => {
    const { access_token } = await tokens(request, { as: ADMIN });
    const member = { organizationId: 'org_harbor', personId: admin, role: 'admin' } as const;
    await setMembership(api.db, { ...member, permissions: ['donors:read'] });
    assert.equal(await statusOf(access_token, '/donations'), 403);
    assert.equal(await statusOf(access_token, '/donors'), 200);
    await setRole('admin');
  });

  test('and leaves: the token becomes invalid', async () => {
    const { access_token, refresh_token } = await tokens(request, { as: ADMIN });
    await endMembership(api.db, 'org_harbor', admin);
    assert.equal(await statusOf(access_token), 401);
    assert.equal((await refresh(refresh_token)).body.error, 'invalid_grant');
    await setRole('admin');
  });
});

describe('revoking an app for an organization', () => {
  test('ends all its tokens and sessions there immediately, and none elsewhere', async () => {
    const scope = 'donations:read payments:write offline_access';
    const firstTokens = await tokens({ scope });
    const secondTokens = await tokens({ scope }, { as: OWNER });
    const otherTokens = await tokens({ scope }, { organization: 'org_lantern' });
    const opened = await api.post('/embed-sessions', firstTokens.access_token, {});
    assert.equal(opened.status, 201);
    const { session_token } = (await opened.json()) as { session_token: string };
    assert.equal(await statusOf(session_token, '/embed-sessions/current'), 200);

    const [connection] = await listConnections(api.db, 'org_harbor');
    assert.equal(connection?.appName, 'Sprout');
    const { id } = connection!;
    const deps = { db: api.db, enqueue: async () => {} };
    assert.equal(await revokeConnection(deps, { id, organizationId: 'org_lantern' }), false);
    assert.equal(await statusOf(firstTokens.access_token), 200);
    assert.equal(await revokeConnection(deps, { id, organizationId: 'org_harbor' }), true);

    for (const { access_token, refresh_token } of [firstTokens, secondTokens]) {
      assert.equal(await statusOf(access_token), 401);
      assert.equal((await refresh(refresh_token)).body.error, 'invalid_grant');
    }
    assert.equal(await statusOf(session_token, '/embed-sessions/current'), 401);
    assert.equal(await statusOf(otherTokens.access_token), 200);
    assert.deepEqual(await listConnections(api.db, 'org_harbor'), []);

    const reconnected = await tokens({ scope });
    assert.equal(await statusOf(reconnected.access_token), 200);
  });
});

describe('the database', () => {
  test('contains no usable secret, code or token', async () => {
    const { callback } = await oauth.connect();
    const { body } = await oauth.exchange(callback);
    const secrets = [body.access_token, body.refresh_token, app.secret];
    secrets.push(callback.searchParams.get('code') ?? '');
    const tables = ['oauth_app', 'oauth_token', 'oauth_grant', 'oauth_interaction'] as const;
    for (const table of tables) {
      const text = JSON.stringify(await api.db.selectFrom(table).selectAll().execute());
      for (const secret of secrets) assert.ok(!text.includes(secret), table);
    }
  });
});
