import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import {
  ALL_SCOPES,
  COMPONENT_SCOPE,
  COMPONENTS,
  type ComponentSession,
  type EmbedSession,
  type Scope,
} from '@connect-embed/contract';
import { pathWithQuery, ROUTES, type Route } from '../../test-support/app/route-table.ts';
import { readError } from '../../test-support/app/start-api.ts';
import { startOauth } from '../../test-support/app/start-oauth.ts';

const { api, newApp, connect, exchange } = await startOauth();

/** A token with exactly one scope. */
interface Bearer {
  scope: Scope;
  token: string;
}
let keys: Bearer[];
let accessTokens: Bearer[];
let componentSessions: Bearer[];
/** Routes that an embed session may call: docs/decisions/0005-credentials-and-scopes.md */
const EMBED_SESSION_ROUTES = new Set([
  'GET /embed-sessions/current',
  'POST /payment-intents',
  'GET /payment-intents/:payment_intent_id', // An embed session can read only its own intents: resources/payment-intent-status.test.ts
]);
/** Routes that every component session may call: live/route.test.ts */
const COMPONENT_SESSION_ROUTES = new Set(['/live']);
let embedSession: string;

before(async () => {
  keys = await Promise.all(
    ALL_SCOPES.map(async (scope) => ({ scope, token: (await api.createKey([scope])).token })),
  );
  accessTokens = await Promise.all(ALL_SCOPES.map(connectFor));
  componentSessions = await Promise.all(
    COMPONENTS.map(async (component) => {
      const scope = COMPONENT_SCOPE[component];
      const { token: key } = await api.createKey([scope]);
      const response = await api.post('/component-sessions', key, { components: [component] });
      return { scope, token: ((await response.json()) as ComponentSession).token };
    }),
  );
  const { token: key } = await api.createKey(['payments:write']);
  const opened = await api.post('/embed-sessions', key, {});
  embedSession = ((await opened.json()) as EmbedSession).session_token;
});

/** Creates an access token of a new app, because tokens of one app share a rate limit. */
async function connectFor(scope: Scope): Promise<Bearer> {
  const app = await newApp();
  const { callback } = await connect({ scope, client_id: app.id });
  const client = { client_id: app.id, client_secret: app.secret };
  return { scope, token: (await exchange(callback, client)).body.access_token };
}

/** Sends a request to a route, with ids that do not exist and a valid body. */
const sendRequest = ({ method, body, ...route }: Route, token?: string) =>
  api.app.request(`/api/v1${pathWithQuery(route).replace(/:\w+/g, 'none_1')}`, {
    method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });

/** Asserts that a token is accepted if it has the scope of the route, and rejected with 403 otherwise. */
async function assertScopeRequired(route: Route, { scope, token }: Bearer): Promise<void> {
  const response = await sendRequest(route, token);
  if (route.scope === scope) {
    assert.ok(![401, 403, 429].includes(response.status), `${scope}: ${response.status}`);
    return;
  }
  const error = await readError(response);
  const refusal = route.scope ? `insufficient_scope .*\\b${route.scope}\\b` : 'forbidden ';
  assert.match(error, new RegExp(`^403 ${refusal}`), scope);
}

for (const route of ROUTES) {
  const { method, path, scope } = route;
  describe(`${method} ${path}`, () => {
    test('responds 401 without a credential', async () => {
      assert.match(await readError(await sendRequest(route)), /^401 unauthorized /);
    });

    test(`accepts API keys with ${scope ?? 'no scope at all'}, and no other key`, async () => {
      for (const key of keys) await assertScopeRequired(route, key);
    });

    test(`accepts access tokens with ${scope ?? 'no scope at all'}, and no other`, async () => {
      for (const token of accessTokens) await assertScopeRequired(route, token);
    });

    test('accepts component sessions with its component, and no other', async () => {
      for (const session of componentSessions) {
        if (COMPONENT_SESSION_ROUTES.has(path)) {
          const response = await sendRequest(route, session.token);
          assert.equal(response.status, 200);
          await response.body?.cancel();
        } else if (path === '/component-sessions') {
          // A session cannot create sessions, whatever its scopes are.
          const error = await readError(await sendRequest(route, session.token));
          assert.match(error, /^403 forbidden /);
        } else await assertScopeRequired(route, session);
      }
    });

    const isAllowed = EMBED_SESSION_ROUTES.has(`${route.method} ${path}`);
    test(`${isAllowed ? 'accepts' : 'rejects'} embed sessions`, async () => {
      const response = await sendRequest(route, embedSession);
      if (isAllowed) assert.ok(![401, 403, 429].includes(response.status), `${response.status}`);
      else assert.match(await readError(response), /^403 (forbidden|insufficient_scope) /);
    });
  });
}
