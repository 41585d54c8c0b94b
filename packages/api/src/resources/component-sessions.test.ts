import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ALL_SCOPES, ComponentSession } from '@connect-embed/contract';
import { readError, startApi } from '../../test-support/app/start-api.ts';

const { db, get, post, createKey } = await startApi();

async function open(components: string[]): Promise<ComponentSession> {
  const response = await post('/component-sessions', ALL_SCOPES, { components });
  assert.equal(response.status, 201);
  return ComponentSession.strict().parse(await response.json());
}

describe('POST /component-sessions', () => {
  test('creates a session that is valid for an hour', async () => {
    const session = await open(['donations', 'donors', 'donations']);
    assert.deepEqual(session.components, ['donations', 'donors']);
    assert.equal(session.organization_id, 'org_harbor');
    assert.equal(session.organization_name, 'Harbor Street Food Bank');
    assert.match(session.token, /^gb_cs_[\w-]{43}$/);
    assert.ok(Math.abs(Date.parse(session.expires_at) - Date.now() - 3_600_000) < 5_000);
    const rows = await db.selectFrom('component_session').selectAll().execute();
    assert.ok(!JSON.stringify(rows).includes(session.token.slice(6)));
  });

  test('requires the scope of every component, and names the missing one', async () => {
    const body = { components: ['donations', 'payouts'] };
    const response = await post('/component-sessions', ['donations:read', 'donors:read'], body);
    assert.match(await readError(response), /^403 insufficient_scope .*payouts:read/);
  });

  for (const [description, body, field] of [
    ['an unknown component', { components: ['events'] }, 'components.0'],
    ['no components', { components: [] }, 'components'],
    ['a value that is not a list', { components: 'donations' }, 'components'],
    ['an empty body', {}, 'components'],
    ['a name that every object inherits', { components: ['constructor'] }, 'components.0'],
  ] as const) {
    test(`rejects ${description}, and names ${field}`, async () => {
      const response = await post('/component-sessions', ALL_SCOPES, body);
      assert.match(await readError(response), new RegExp(`^400 invalid_request ${field} `));
    });
  }

  test('is forbidden with a session token', async () => {
    const { token } = await open(['donations']);
    const response = await post('/component-sessions', token, { components: ['donations'] });
    assert.match(await readError(response), /^403 forbidden /);
  });
});

describe('the token of a component session', () => {
  test('reads its components, as lists and by id, and nothing else', async () => {
    const { token } = await open(['donors']);
    const list = await get('/donors?limit=1', token);
    const { data } = (await list.json()) as { data: { id: string }[] };
    assert.equal((await get(`/donors/${data[0]?.id}`, token)).status, 200);
    for (const path of ['/donations', '/donations/don_1', '/payouts', '/organization', '/funds']) {
      assert.match(await readError(await get(path, token)), /^403 insufficient_scope /, path);
    }
    const response = await post('/payment-intents', token, { amount_cents: 500 });
    assert.match(await readError(response), /^403 insufficient_scope .*payments:write/);
    const current = await get('/embed-sessions/current', token);
    assert.match(await readError(current), /^403 forbidden /);
  });

  test('expires after an hour', async () => {
    const { id, token } = await open(['donors']);
    await db
      .updateTable('component_session')
      .set({ expires_at: new Date() })
      .where('id', '=', id)
      .execute();
    assert.match(await readError(await get('/donors', token)), /^401 unauthorized /);
  });

  test('expires when its API key is revoked', async () => {
    const key = await createKey(['donors:read']);
    const response = await post('/component-sessions', key.token, { components: ['donors'] });
    const { token } = (await response.json()) as ComponentSession;
    assert.equal((await get('/donors', token)).status, 200);
    await db
      .updateTable('api_key')
      .set({ revoked_at: new Date() })
      .where('id', '=', key.id)
      .execute();
    assert.equal((await get('/donors', token)).status, 401);
  });
});

describe('the organization’s time zone', () => {
  test('is a header of every response to a session, readable for scripts', async () => {
    const { token } = await open(['donations', 'payouts']);
    for (const path of ['/donations?limit=1', '/donations/summary', '/payouts']) {
      const { headers } = await get(path, token);
      assert.equal(headers.get('time-zone'), 'America/New_York', path);
      assert.match(headers.get('access-control-expose-headers') ?? '', /\bTime-Zone\b/);
    }
  });

  test('is also sent to a session with masks', async () => {
    const body = { components: ['donors'], masks: ['names'] };
    const response = await post('/component-sessions', ALL_SCOPES, body);
    const { token } = (await response.json()) as ComponentSession;
    assert.equal((await get('/donors', token)).headers.get('time-zone'), 'America/New_York');
  });

  test('is not sent to an API key', async () => {
    const { token } = await createKey(['donations:read']);
    assert.equal((await get('/donations', token)).headers.get('time-zone'), null);
  });
});
