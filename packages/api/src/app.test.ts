import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ALL_SCOPES, type Scope } from '@connect-embed/contract';
import { sql } from 'kysely';
import { pathWithQuery, ROUTES } from '../test-support/app/route-table.ts';
import { readError, startApi } from '../test-support/app/start-api.ts';

const { app, db, call, get, createKey } = await startApi();

const LISTS = [
  '/donations',
  '/recurring-plans',
  '/donors',
  '/payouts',
  '/events',
  '/campaigns',
  '/funds',
];
const READS_BY_ID = ROUTES.filter(({ path }) =>
  /^\/(donations|donors|payouts|events)\/:id/.test(path),
);

/** Calls a route with an id that does not exist and, if the route takes one, a valid body. */
const callRoute = (
  { method, body, ...route }: (typeof ROUTES)[number],
  credential?: readonly Scope[] | string,
  query?: string,
) =>
  call(method, pathWithQuery(route, query).replace(/:\w+/g, 'don_1'), credential, {
    ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });

test('ROUTES lists every route of the API', () => {
  const registeredRoutes = app.routes
    .filter(({ method, path }) => method !== 'ALL' && /^\/api\/v1(?!\/openapi.json)/.test(path))
    .map(({ method, path }) => `${method} ${path.replace('/api/v1', '')}`);
  const table = ROUTES.map(({ method, path }) => `${method} ${path}`);
  assert.deepEqual([...new Set(registeredRoutes)].sort(), table.sort());
});

for (const route of ROUTES) {
  describe(`${route.method} ${route.path}`, () => {
    test('rejects a request without credentials', async () => {
      const response = await callRoute(route);
      assert.equal(response.headers.get('www-authenticate'), 'Bearer');
      assert.match(await readError(response), /^401 unauthorized /);
    });

    test('rejects a token that is malformed, unknown or of another scheme', async () => {
      const unknown = `gb_live_${'A'.repeat(43)}`;
      for (const token of [unknown, 'gb_live_x', 'sk_test_1', 'ümlaut', unknown + 'A', '']) {
        const headers = { authorization: `Bearer ${encodeURI(token)}` };
        const response = await call(route.method, route.path, undefined, { headers });
        assert.match(await readError(response), /^401 unauthorized /, token);
      }
      const { token } = await createKey();
      const headers = { authorization: `Basic ${token}` };
      const basic = await call(route.method, route.path, undefined, { headers });
      assert.match(await readError(basic), /^401 unauthorized /);
    });

    test('rejects a key from the first request after its revocation', async () => {
      const { id, token } = await createKey();
      assert.notEqual((await callRoute(route, token)).status, 401);
      await db
        .updateTable('api_key')
        .set({ revoked_at: new Date() })
        .where('id', '=', id)
        .execute();
      assert.match(await readError(await callRoute(route, token)), /^401 unauthorized /);
    });

    test('rejects request 121 within 60 seconds, with an accurate Retry-After', async () => {
      const { id, token } = await createKey();
      const from = performance.now();
      await recordRequests(id, 120, 37_400);
      const response = await callRoute(route, token);
      const remainingSeconds = 37.4 - (performance.now() - from) / 1000;
      const retryAfter = Number(response.headers.get('retry-after'));
      assert.ok(
        retryAfter >= Math.ceil(remainingSeconds) && retryAfter <= 38,
        `${retryAfter} s, and ${remainingSeconds} s are left`,
      );
      assert.match(await readError(response), /^429 rate_limited /);
      await recordRequests(id, 120, -1);
      assert.notEqual((await callRoute(route, token)).status, 429);
    });

    test('responds without a stack trace, a file path or SQL', async () => {
      const { token } = await createKey();
      assert.doesNotMatch(
        await (await callRoute(route, token)).text(),
        /stack|node_modules|select /,
      );
    });

    const { scope } = route;
    if (scope) {
      test(`requires ${scope} and rejects every other scope`, async () => {
        const otherScopes = ALL_SCOPES.filter((other) => other !== scope);
        const refused = await readError(await callRoute(route, otherScopes));
        assert.match(refused, new RegExp(`^403 insufficient_scope .*${scope}`));
        const { status } = await callRoute(route, [scope]);
        assert.ok(status !== 401 && status !== 403, String(status));
      });
    }

    if (route.method === 'GET') {
      test('rejects an unknown query parameter', async () => {
        const response = await callRoute(route, ALL_SCOPES, 'page=2');
        const expected = scope ? /^400 invalid_request page / : /^40[03] /;
        assert.match(await readError(response), expected);
      });
    }

    test('responds 405 with Allow to a method that it does not support', async () => {
      const { token } = await createKey();
      const response = await call('PUT', route.path.replace(/:\w+/g, 'don_1'), token);
      const methods = ROUTES.filter(({ path }) => path === route.path).map(({ method }) => method);
      if (methods.includes('GET')) methods.push('HEAD');
      const allowed = response.headers.get('allow')?.split(', ');
      assert.deepEqual(allowed?.sort(), methods.sort());
      assert.match(await readError(response), /^405 method_not_allowed /);
    });
  });
}

describe('a resource of another organization', () => {
  for (const { path, scope } of READS_BY_ID) {
    test(`is not found at ${path}`, async () => {
      const table = path.replace(/s\/:id.*/, '').slice(1) as 'donation' | 'donor' | 'payout';
      const at = (id: string) => path.replace(':id', id);
      const foreign = await db
        .selectFrom(table)
        .select('id')
        .where('organization_id', '=', 'org_lantern')
        .executeTakeFirstOrThrow();
      const { token } = await createKey([scope!], 'org_lantern');
      assert.equal((await get(at(foreign.id), token)).status, 200);
      const response = await get(at(foreign.id), [scope!]);
      const missing = await get(at(`${foreign.id}x`), [scope!]);
      assert.match(await readError(response), /^404 not_found /);
      assert.equal(missing.status, 404);
    });
  }

  for (const list of LISTS) {
    test(`is not in ${list}`, async () => {
      const { token } = await createKey(ALL_SCOPES, 'org_lantern');
      const ids = async (credential: string | readonly Scope[]) => {
        const { data } = (await (await get(`${list}?limit=100`, credential)).json()) as {
          data: { id: string }[];
        };
        return new Set(data.map(({ id }) => id));
      };
      const [ownIds, foreignIds] = [await ids(ALL_SCOPES), await ids(token)];
      assert.ok(ownIds.size > 0);
      assert.ok([...ownIds].every((id) => !foreignIds.has(id)));
    });
  }
});

describe('a malformed id', () => {
  for (const id of [
    '%00',
    'don_%00',
    '%FF',
    'don_%C3%28',
    '%2e%2e%2f',
    "don_1'--",
    '%F0%9F%92%B8',
    'don_' + 'a'.repeat(5000),
    '%E0%A4%A',
  ]) {
    test(`is not found: ${id.slice(0, 20)}`, async () => {
      for (const { path } of READS_BY_ID) {
        const response = await get(path.replace(':id', id), ALL_SCOPES);
        assert.match(await readError(response), /^404 not_found /);
      }
    });
  }
});

describe('every response', () => {
  test('has a generated Request-Id, or the Request-Id of the request if that is valid', async () => {
    const first = await app.request('/healthz');
    assert.match(first.headers.get('request-id') ?? '', /^req_\w{20}$/);
    const echoed = await app.request('/nowhere', { headers: { 'request-id': 'abc-1' } });
    assert.equal(echoed.headers.get('request-id'), 'abc-1');
    const response = await app.request('/healthz', { headers: { 'request-id': 'a b"c' } });
    assert.match(response.headers.get('request-id') ?? '', /^req_/);
  });

  test('is not cached and not framed', async () => {
    for (const path of ['/healthz', '/nowhere', '/api/v1/donations']) {
      const { headers } = await app.request(path);
      assert.equal(headers.get('cache-control'), 'no-store');
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
      assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/);
    }
  });

  test('is the error envelope for an unknown path', async () => {
    for (const path of ['/', '/api/v1', '/api/v1/nothing', '/api/v2/donations', '/healthz/x']) {
      assert.match(await readError(await app.request(path)), /^404 not_found /);
    }
  });

  test('to HEAD is the response to GET without a body', async () => {
    const { token } = await createKey();
    const response = await call('HEAD', '/organization', token);
    assert.equal(response.status, 200);
    assert.equal(await response.text(), '');
  });
});

describe('GET /healthz and /readyz', () => {
  test('need no token', async () => {
    assert.deepEqual(await (await app.request('/healthz')).json(), { status: 'ok' });
    assert.deepEqual(await (await app.request('/readyz')).json(), { status: 'ready' });
    const response = await app.request('/healthz', { method: 'PUT' });
    assert.equal(response.headers.get('allow'), 'GET, HEAD');
  });
});

/** Records `times` earlier requests of a credential, which leave the rate limit window in `endsInMs` ms. */
const recordRequests = (credentialId: string, times: number, endsInMs: number) =>
  sql`insert into request_budget
    select ${credentialId}, array_agg(now() + ${`${endsInMs - 60_000} ms`}::interval)
    from generate_series(1, ${times}::int)
    on conflict (key) do update set request_times = excluded.request_times`.execute(db);
