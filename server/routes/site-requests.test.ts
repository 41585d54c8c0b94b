import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { errorOf, openServer, ORIGIN } from '../test-support/embedding-page.ts';
import { formOf } from '../test-support/dashboard-form.ts';
import { errorResponse, startUpstream } from '../test-support/upstream.ts';

const upstream = await startUpstream();
const BLOG = 'https://blog.example';

/** Sends a request as the server of a website does, without an origin. */
function openSetup(config = {}) {
  const { server } = openServer(upstream.apiBase, config);
  return {
    ask: async (body: unknown, headers: Record<string, string> = {}) =>
      await server.request('/site-requests', {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      }),
    isAllowed: async (origin: string) => {
      const query = new URLSearchParams({ origin });
      return (await (await server.request(`/site-requests?${query}`)).json()) as object;
    },
    server,
  };
}

const sentRequests = () => upstream.callsOf('/allowed-site-requests');

describe('a form that is refused to a website', () => {
  const show = async (server: ReturnType<typeof openSetup>['server'], origin: string) =>
    await server.request('/embed-form?form=default', { headers: { origin } });

  test('is reported to the API once an hour, and the page gets the same error each time', async () => {
    const { server } = openSetup();
    for (let visit = 0; visit < 3; visit += 1) {
      const error = await errorOf(await show(server, BLOG));
      assert.equal(error.status, 403);
      assert.match(error.message, /^Origin https:\/\/blog\.example is not allowed\./);
    }
    assert.deepEqual(
      sentRequests().map(({ body }) => body),
      [{ origin: BLOG, refused: true }],
    );
  });

  test('is reported with its name, if the server has such a form', async () => {
    upstream.setForms([formOf('spring')]);
    const { server } = openSetup({ forms: { meals: { preset_amounts_cents: [4200] } } });
    for (const form of ['spring', 'meals', 'call-me'])
      await server.request(`/embed-form?form=${form}`, {
        headers: { origin: `https://${form}.example` },
      });
    assert.deepEqual(
      sentRequests().map(({ body }) => body),
      [
        { origin: 'https://spring.example', refused: true, form: 'spring' },
        { origin: 'https://meals.example', refused: true, form: 'meals' },
        { origin: 'https://call-me.example', refused: true },
      ],
    );
  });

  test('is not reported for what is no website, and an error of the API changes nothing', async () => {
    const { server } = openSetup();
    for (const origin of ['null', 'http://insecure.example', 'chrome-extension://abc'])
      assert.equal((await show(server, origin)).status, 403);
    assert.equal(sentRequests().length, 0);
    upstream.failWith(({ path }) =>
      path.endsWith('requests') ? errorResponse(409, 'conflict', 'Not now.') : undefined,
    );
    assert.equal((await show(server, BLOG)).status, 403);
  });
});

describe('POST /site-requests', () => {
  test('asks the API to allow the website', async () => {
    const response = await openSetup().ask({ origin: BLOG });
    assert.equal(response.status, 200);
    const { status } = (await response.json()) as { status: string };
    assert.equal(status, 'pending');
    assert.deepEqual(
      sentRequests().map(({ body }) => body),
      [{ origin: BLOG }],
    );
  });

  test('says that a website is allowed already, without a request to the API', async () => {
    upstream.setSites(['https://*.known.example']);
    for (const origin of [ORIGIN, 'https://www.known.example']) {
      const response = await openSetup().ask({ origin });
      assert.equal(((await response.json()) as { status: string }).status, 'allowed');
    }
    assert.equal(sentRequests().length, 0);
  });

  for (const body of [{}, { origin: 'blog.example' }, { origin: 'https://*.blog.example' }]) {
    test(`rejects ${JSON.stringify(body)}`, async () => {
      const error = await errorOf(await openSetup().ask(body));
      assert.deepEqual([error.status, error.type], [400, 'invalid_request']);
      assert.match(error.message, /origin/);
      assert.equal(upstream.calls.length, 0);
    });
  }

  test('cannot be sent by a page of another origin', async () => {
    const { server, ask } = openSetup();
    const preflight = await server.request('/site-requests', {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
    });
    assert.equal(preflight.headers.get('access-control-allow-origin'), null);
    // Browsers send this type without a preflight.
    const plain = await ask({ origin: BLOG }, { 'content-type': 'text/plain' });
    assert.equal(plain.status, 415);
  });

  test('is limited for all addresses together', async () => {
    const { ask } = openSetup({ limits: { siteRequests: { points: 1, seconds: 60 } } });
    assert.equal((await ask({ origin: BLOG })).status, 200);
    const limited = await ask({ origin: 'https://b.example' });
    assert.ok(limited.headers.get('retry-after'));
    assert.equal((await errorOf(limited)).status, 429);
  });

  test('is limited for each address', async () => {
    const limits = { setup: { points: 1, seconds: 60 } };
    const { ask } = openSetup({ limits, clientIp: () => '192.0.2.1' });
    assert.equal((await ask({ origin: BLOG })).status, 200);
    assert.equal((await ask({ origin: BLOG })).status, 429);
  });

  test('is limited to three in an hour for each address, in addition to other requests', async () => {
    const { ask } = openSetup({ clientIp: () => '192.0.2.1' });
    const statuses: number[] = [];
    for (const name of ['a', 'b', 'c', 'd'])
      statuses.push((await ask({ origin: `https://${name}.example` })).status);
    assert.deepEqual(statuses, [200, 200, 200, 429]);
  });

  test('passes on that too many websites are waiting', async () => {
    upstream.failWith(({ path }) =>
      path.endsWith('requests') ? errorResponse(409, 'conflict', '20 websites wait.') : undefined,
    );
    assert.equal((await openSetup().ask({ origin: BLOG })).status, 409);
  });
});

describe('GET /site-requests', () => {
  test('returns whether a website is allowed', async () => {
    upstream.setSites([BLOG]);
    const { isAllowed } = openSetup();
    assert.deepEqual(await isAllowed(BLOG), { origin: BLOG, allowed: true });
    const other = 'https://other.example';
    assert.deepEqual(await isAllowed(other), { origin: other, allowed: false });
  });

  test('requires the origin', async () => {
    const error = await errorOf(await openSetup().server.request('/site-requests'));
    assert.deepEqual([error.status, error.type], [400, 'invalid_request']);
  });
});
