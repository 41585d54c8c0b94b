import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, beforeEach, describe, test } from 'node:test';
import { ConnectClient, type ConnectClientOptions } from './client.ts';
import { ConnectError } from './error.ts';

type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => void;

let handler: Handler;
let requests: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[];
const server = createServer((request, response) => {
  void text(request).then((body) => {
    const { method = '', url = '', headers } = request;
    requests.push({ method, url, headers, body });
    handler(request, response, body);
  });
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
after(() => {
  server.closeAllConnections();
  server.close();
});
const apiBase = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`;

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Handler =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };
const respondWithError = (status: number, type: string, headers?: Record<string, string>) =>
  json(status, { error: { type, message: `Test error ${type}.` } }, headers);

let waits: number[];
const openClient = (options: Partial<ConnectClientOptions> = {}) =>
  new ConnectClient({
    apiBase: `${apiBase}/`,
    token: 'gb_live_key',
    sleep: async (ms) => void waits.push(ms),
    ...options,
  });

beforeEach(() => {
  requests = [];
  waits = [];
  handler = json(200, {});
});

const failure =
  (type: string, expectedMessage = /./) =>
  (error: unknown) =>
    error instanceof ConnectError && error.type === type && expectedMessage.test(error.message);

describe('a list', () => {
  test('of events and registrations sends its filters as query parameters', async () => {
    handler = json(200, { data: [], has_more: false, next_cursor: null });
    await openClient().list('events', { limit: 5, published: false, upcoming: true });
    await openClient().list('events/event_1/registrations', {
      status: 'checked_in',
      token: 'gba_other',
    });
    assert.deepEqual(
      requests.map(({ url }) => url),
      [
        '/api/v1/events?limit=5&published=false&upcoming=true',
        '/api/v1/events/event_1/registrations?status=checked_in',
      ],
    );
    assert.equal(requests[1]?.headers.authorization, 'Bearer gba_other');
  });
});

describe('a call', () => {
  test('sends the token and encodes the path', async () => {
    await openClient().get('donations', 'don/1?x');
    assert.equal(requests[0]?.url, '/api/v1/donations/don%2F1%3Fx');
    assert.equal(requests[0]?.headers['authorization'], 'Bearer gb_live_key');
    assert.equal(requests[0]?.headers['content-type'], undefined);
  });

  test('sends a JSON body with its idempotency key', async () => {
    await openClient().createPaymentIntent({ amount_cents: 5000 }, { idempotencyKey: 'one' });
    assert.partialDeepStrictEqual(requests[0], {
      method: 'POST',
      url: '/api/v1/payment-intents',
      body: '{"amount_cents":5000}',
    });
    assert.equal(requests[0]?.headers['content-type'], 'application/json');
    assert.equal(requests[0]?.headers['idempotency-key'], 'one');
  });

  test('loads an embed form with the session’s own token', async () => {
    await openClient().getEmbedForm('gb_es_1');
    assert.equal(requests[0]?.url, '/api/v1/embed-sessions/current');
    assert.equal(requests[0]?.headers['authorization'], 'Bearer gb_es_1');
  });

  for (const [method, call] of [
    ['GET /organization', (client: ConnectClient) => client.getOrganization()],
    ['POST /embed-sessions', (client: ConnectClient) => client.createEmbedSession()],
    [
      'POST /component-sessions',
      (client: ConnectClient) => client.createComponentSession({ components: ['donors'] }),
    ],
  ] as const) {
    test(`sends ${method}`, async () => {
      await call(openClient());
      assert.equal(`${requests[0]?.method} ${requests[0]?.url}`, method.replace(' ', ' /api/v1'));
    });
  }
});

describe('a list', () => {
  const pages: Record<string, unknown> = {
    '': { data: [{ id: 'don_3' }, { id: 'don_2' }], has_more: true, next_cursor: 'a b' },
    'a b': { data: [{ id: 'don_1' }], has_more: false, next_cursor: null },
  };
  const respondWithPages: Handler = (request, response, body) => {
    const url = new URL(request.url ?? '', apiBase);
    json(200, pages[url.searchParams.get('cursor') ?? ''])(request, response, body);
  };

  test('is requested with limit, cursor and updated_since', async () => {
    await openClient().list('payouts', {
      limit: 5,
      cursor: 'a b',
      updated_since: '2026-01-01T00:00:00Z',
    });
    assert.equal(
      requests[0]?.url,
      '/api/v1/payouts?limit=5&cursor=a+b&updated_since=2026-01-01T00%3A00%3A00Z',
    );
  });

  test('is loaded to its end, page by page', async () => {
    handler = respondWithPages;
    const ids: string[] = [];
    for await (const { id } of openClient().all('donations', { limit: 2 })) ids.push(id);
    assert.deepEqual(ids, ['don_3', 'don_2', 'don_1']);
    assert.equal(requests.length, 2);
    assert.match(requests[1]?.url ?? '', /limit=2&cursor=a\+b/);
  });

  test('loads no page before its caller needs it', async () => {
    handler = respondWithPages;
    for await (const { id } of openClient().all('donations')) if (id === 'don_2') break;
    assert.equal(requests.length, 1);
  });

  test('ends at a page without a cursor, even if has_more is true', async () => {
    handler = json(200, { data: [{ id: 'don_1' }], has_more: true, next_cursor: null });
    const ids: string[] = [];
    for await (const { id } of openClient().all('donations')) ids.push(id);
    assert.deepEqual([ids, requests.length], [['don_1'], 1]);
  });
});

describe('an error', () => {
  for (const [status, type] of [
    [400, 'invalid_request'],
    [401, 'unauthorized'],
    [403, 'insufficient_scope'],
    [404, 'not_found'],
    [409, 'conflict'],
    [500, 'server_error'],
  ] as const) {
    test(`of the API is thrown again: ${type}`, async () => {
      handler = respondWithError(status, type);
      await assert.rejects(openClient().getOrganization(), failure(type, /^Test error /));
    });
  }

  for (const [description, respond] of [
    ['an HTML page of a proxy', (_, response) => response.writeHead(502).end('<html>')],
    ['a 404 of another service', (_, response) => response.writeHead(404).end('<html>')],
    ['another service’s error', json(418, { error: { type: 'teapot', message: 'short' } })],
    ['JSON without an error', json(500, null)],
  ] as [string, Handler][]) {
    test(`that is ${description} has the status in its message`, async () => {
      handler = respond;
      await assert.rejects(openClient().getOrganization(), failure('unavailable', /responded \d+/));
    });
  }

  test('reports that a 200 response is not JSON', async () => {
    handler = (_, response) => response.end('<html>');
    await assert.rejects(openClient().getOrganization(), failure('unavailable', /not JSON/));
  });

  test('reports that the API cannot be reached', async () => {
    const client = openClient({ apiBase: 'http://127.0.0.1:9/api/v1' });
    await assert.rejects(client.getOrganization(), failure('unavailable', /cannot be reached/));
  });

  test('reports that the API cannot be reached when the response is cut off', async () => {
    handler = (_, response) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write('{', () => response.destroy());
    };
    await assert.rejects(
      openClient().getOrganization(),
      failure('unavailable', /cannot be reached/),
    );
  });
});

describe('429', () => {
  /** Responds with 429 to the first `times` requests, then with 200. */
  const respondRateLimited = (times: number, retryAfter?: string): Handler => {
    const headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
    return (...call) =>
      (requests.length > times ? json(200, {}) : respondWithError(429, 'rate_limited', headers))(
        ...call,
      );
  };

  test('is retried after the seconds in Retry-After', async () => {
    handler = respondRateLimited(2, '7');
    await openClient().getOrganization();
    assert.deepEqual(waits, [7000, 7000]);
  });

  test('is retried at the date in Retry-After', async () => {
    const from = performance.now();
    handler = respondRateLimited(1, new Date(Date.now() + 5000).toUTCString());
    await openClient().getOrganization();
    const elapsedMs = performance.now() - from;
    assert.ok(waits[0]! >= 4000 - elapsedMs && waits[0]! <= 5000, String(waits));
  });

  for (const header of [undefined, '0', 'soon', '-3', new Date(0).toUTCString()]) {
    test(`is retried after one second when Retry-After is ${header}`, async () => {
      handler = respondRateLimited(1, header);
      await openClient().getOrganization();
      assert.deepEqual(waits, [1000]);
    });
  }

  test('is thrown when the total wait would be too long', async () => {
    handler = respondRateLimited(9, '20');
    await assert.rejects(openClient({ maxRetryWaitMs: 45_000 }).getOrganization(), (error) => {
      assert.ok(failure('rate_limited')(error));
      assert.equal((error as ConnectError).retryAfterSeconds, 20);
      return true;
    });
    assert.deepEqual(waits, [20_000, 20_000]);
  });

  test('is thrown immediately when the client may not wait', async () => {
    handler = respondRateLimited(9, '1');
    await assert.rejects(
      openClient({ maxRetryWaitMs: 0 }).getOrganization(),
      failure('rate_limited'),
    );
    assert.equal(requests.length, 1);
  });

  test('is retried with the same idempotency key', async () => {
    handler = respondRateLimited(1, '1');
    await openClient().createPaymentIntent({ amount_cents: 5000 }, { idempotencyKey: 'one' });
    assert.deepEqual(
      requests.map(({ headers }) => headers['idempotency-key']),
      ['one', 'one'],
    );
  });
});

describe('a call that takes too long', () => {
  const neverRespond: Handler = () => undefined;

  test('fails at its timeout', async () => {
    handler = neverRespond;
    const client = openClient({ timeoutMs: 50 });
    await assert.rejects(
      client.getOrganization(),
      failure('unavailable', /did not respond within 50 ms/),
    );
  });

  test('fails at its timeout while the body arrives', async () => {
    handler = (_, response) => void response.write('{');
    const client = openClient({ timeoutMs: 50 });
    await assert.rejects(
      client.getOrganization(),
      failure('unavailable', /did not respond within 50 ms/),
    );
  });

  test('is aborted by the signal of its caller', async () => {
    handler = neverRespond;
    const signal = AbortSignal.timeout(20);
    await assert.rejects(openClient().getOrganization({ signal }), { name: 'TimeoutError' });
    const aborted = AbortSignal.abort(new Error('gone'));
    await assert.rejects(openClient().getOrganization({ signal: aborted }), /gone/);
  });

  test('is aborted by the signal of its caller while it waits after a 429', async () => {
    handler = respondWithError(429, 'rate_limited', { 'retry-after': '20' });
    const client = new ConnectClient({ apiBase, token: 'x' });
    const controller = new AbortController();
    // By then the client has read the response and waits; nothing shows that it does.
    setTimeout(() => controller.abort(new Error('gone')), 50);
    await assert.rejects(client.getOrganization({ signal: controller.signal }), /gone/);
  });
});
