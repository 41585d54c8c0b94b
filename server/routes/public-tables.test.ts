import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MASKS, type PageSession } from '@connect-embed/contract';
import { SignJWT } from 'jose';
import { errorOf, openServer } from '../test-support/embedding-page.ts';
import { errorResponse, startUpstream } from '../test-support/upstream.ts';

const VIEWER_SECRET = 'a viewer secret of this test that is long enough';
const REQUEST_BODY = { components: ['donations'] };
const HOUR_MS = 3_600_000;

const upstream = await startUpstream();
const openTestServer = (config = {}) => openServer(upstream.apiBase, config);
const publicTables = { components: ['donations'] };
const requestBodies = () => upstream.calls.map(({ body }) => body);
const read = async (response: Response) => {
  assert.equal(response.status, 201, await response.clone().text());
  return (await response.json()) as PageSession;
};

async function bearer(claims: object) {
  const token = new SignJWT({ sub: 'viewer', ...claims }).setProtectedHeader({ alg: 'HS256' });
  const signed = await token.setExpirationTime('5m').sign(new TextEncoder().encode(VIEWER_SECRET));
  return { authorization: `Bearer ${signed}` };
}

describe('tables on a public page', () => {
  test('are fully masked by default', async () => {
    const session = await read(
      await openTestServer({ publicTables }).post('/component-sessions', REQUEST_BODY),
    );
    assert.deepEqual(requestBodies(), [{ ...REQUEST_BODY, masks: [...MASKS] }]);
    assert.deepEqual(session.masks, [...MASKS]);
  });

  test('have the masks that the owner configures', async () => {
    const page = openTestServer({ publicTables: { ...publicTables, masks: ['emails'] } });
    await read(await page.post('/component-sessions', REQUEST_BODY));
    assert.deepEqual(requestBodies(), [{ ...REQUEST_BODY, masks: ['emails'] }]);
  });

  test('reject a component that is not public', async () => {
    const response = await openTestServer({ publicTables }).post('/component-sessions', {
      components: ['donations', 'donors'],
    });
    const error = await errorOf(response);
    assert.deepEqual([error.status, error.type], [403, 'forbidden']);
    assert.match(error.message, /donors/);
    assert.equal(upstream.calls.length, 0);
  });

  test('cannot be unmasked by the page', async () => {
    const response = await openTestServer({ publicTables }).post('/component-sessions', {
      ...REQUEST_BODY,
      masks: [],
    });
    const error = await errorOf(response);
    assert.equal(error.status, 400);
    assert.match(error.message, /^masks /);
    assert.equal(upstream.calls.length, 0);
  });

  test('are not opened if the API does not support masks', async () => {
    upstream.failWith(({ path }) =>
      path.endsWith('/component-sessions')
        ? Response.json(
            { id: 'cs_1', object: 'component_session', token: 'gb_cs_1', ...REQUEST_BODY },
            { status: 201 },
          )
        : undefined,
    );
    const error = await errorOf(
      await openTestServer({ publicTables }).post('/component-sessions', REQUEST_BODY),
    );
    assert.deepEqual([error.status, error.type], [503, 'unavailable']);
    assert.match(error.message, /names, emails, phones, addresses/);
  });

  test('share a session, so that many visitors cost few API requests', async () => {
    const page = openTestServer({ publicTables });
    const sessions = await Promise.all(
      Array.from(
        { length: 10 },
        async () => await read(await page.post('/component-sessions', REQUEST_BODY)),
      ),
    );
    assert.equal(new Set(sessions.map(({ token }) => token)).size, 2);
    assert.equal(upstream.calls.length, 2);
  });

  test('get a session with enough lifetime left', async () => {
    const page = openTestServer({ publicTables });
    upstream.setLifetimeSeconds(1200);
    const first = await read(await page.post('/component-sessions', REQUEST_BODY));
    upstream.setLifetimeSeconds(3600);
    const second = await read(await page.post('/component-sessions', REQUEST_BODY));
    assert.notEqual(first.token, second.token);
    const third = await read(await page.post('/component-sessions', REQUEST_BODY));
    assert.equal(second.token, third.token);
  });

  for (const [offset, offMs] of [
    ['two hours ahead of', 2 * HOUR_MS],
    ['two hours behind', -2 * HOUR_MS],
  ] as const) {
    test(`share a session for half its hour with a clock ${offset} the API’s`, async () => {
      let clock = Date.now() + offMs;
      const page = openTestServer({ publicTables, now: () => clock });
      const createToken = async () =>
        (await read(await page.post('/component-sessions', REQUEST_BODY))).token;
      const first = await createToken();
      clock += HOUR_MS / 2 - 60_000;
      assert.equal(await createToken(), first);
      clock += 120_000;
      assert.notEqual(await createToken(), first);
      assert.equal(upstream.calls.length, 2);
    });
  }

  test('share no session with another organization or other masks', async () => {
    const granted = [{}, { masks: ['emails'] }, { organization: 'org_2' }];
    const tokens = new Set<string>();
    const page = openTestServer({ authorize: () => ({ anybody: true, ...granted.shift() }) });
    for (const status of [201, 201, 403]) {
      const response = await page.post('/component-sessions', REQUEST_BODY);
      assert.equal(response.status, status);
      if (response.ok) tokens.add(((await response.json()) as PageSession).token);
    }
    assert.equal(tokens.size, 2);
  });

  test('recover after the API was unavailable', async () => {
    const page = openTestServer({ publicTables });
    upstream.failWith(() => errorResponse(503, 'unavailable', 'Later.'));
    assert.equal((await page.post('/component-sessions', REQUEST_BODY)).status, 503);
    upstream.failWith(undefined);
    await read(await page.post('/component-sessions', REQUEST_BODY));
  });

  test('do not delay viewers', async () => {
    const page = openTestServer({
      publicTables,
      viewer: { secret: VIEWER_SECRET },
      limits: { components: { points: 1, seconds: 60 } },
    });
    for (let view = 0; view < 5; view += 1)
      await read(await page.post('/component-sessions', REQUEST_BODY));
    assert.equal((await page.post('/component-sessions', REQUEST_BODY)).status, 429);
    await read(await page.post('/component-sessions', REQUEST_BODY, await bearer({})));
  });

  for (const [description, invalid] of [
    ['an unknown mask', { ...publicTables, masks: ['shoes'] }],
    ['an unknown component', { components: ['keys'] }],
    ['no components', { components: [] }],
    ['a misspelled field', { ...publicTables, mask: [] }],
  ] as const) {
    test(`cannot be configured with ${description}`, () => {
      assert.throws(() => openTestServer({ publicTables: invalid }), /publicTables/);
    });
  }
});

describe('a viewer, with public tables configured', () => {
  const both = { publicTables, viewer: { secret: VIEWER_SECRET } };

  test('sees the components of the token, unmasked', async () => {
    const session = await read(
      await openTestServer(both).post(
        '/component-sessions',
        { components: ['donors'] },
        await bearer({}),
      ),
    );
    assert.deepEqual(requestBodies(), [{ components: ['donors'] }]);
    assert.deepEqual(session.masks, []);
  });

  test('is rejected with an invalid token, and does not get the public session', async () => {
    const headers = { authorization: 'Bearer a.b.c' };
    assert.equal(
      (await openTestServer(both).post('/component-sessions', REQUEST_BODY, headers)).status,
      401,
    );
  });

  test('whom the authorize hook rejects sees the public tables', async () => {
    const page = openTestServer({ publicTables, authorize: () => false });
    assert.deepEqual((await read(await page.post('/component-sessions', REQUEST_BODY))).masks, [
      ...MASKS,
    ]);
  });
});

describe('a viewer with masks', () => {
  for (const [offset, config, claims] of [
    ['hook', { authorize: () => ({ masks: ['emails'] }) }, {}],
    ['token', { viewer: { secret: VIEWER_SECRET } }, { masks: ['emails'] }],
  ] as const) {
    test(`set by the ${offset} gets a separate session`, async () => {
      const page = openTestServer(config);
      const headers = await bearer(claims);
      const item = await read(await page.post('/component-sessions', REQUEST_BODY, headers));
      const other = await read(await page.post('/component-sessions', REQUEST_BODY, headers));
      assert.deepEqual(item.masks, ['emails']);
      assert.notEqual(item.token, other.token);
    });
  }

  for (const masks of ['emails', ['shoes'], { emails: true }, null]) {
    test(`is rejected if the masks are ${JSON.stringify(masks)}, and not unmasked`, async () => {
      const page = openTestServer({ viewer: { secret: VIEWER_SECRET } });
      const error = await errorOf(
        await page.post('/component-sessions', REQUEST_BODY, await bearer({ masks })),
      );
      assert.equal(error.status, 400);
      assert.match(error.message, /^masks/);
      assert.equal(upstream.calls.length, 0);
    });
  }
});
