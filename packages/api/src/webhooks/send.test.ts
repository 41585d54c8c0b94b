import assert from 'node:assert/strict';
import { createServer, type Socket } from 'node:net';
import { after, describe, test } from 'node:test';
import {
  respondWith,
  CERTIFICATE,
  startReceiver,
  type Responder,
} from '../../test-support/network/webhook-receiver.ts';
import { createSsrfSafeAgent } from './ssrf-safe-agent.ts';
import { describeDeliveryError } from './delivery-error.ts';
import { PublicHosts } from './public-host.ts';
import { readRetryAfter, delayBeforeNextAttempt, MAX_ATTEMPTS } from './retry-schedule.ts';
import { createSender, type Outcome } from './send.ts';

const headers = { 'webhook-id': 'evt_1', 'webhook-timestamp': '1', 'webhook-signature': 'v1,x' };

async function attempt(
  url: string,
  { ca, timeoutMs = 20_000 }: { ca?: string; timeoutMs?: number } = {},
): Promise<Outcome> {
  const hosts = new PublicHosts({ allowHosts: [new URL(url).host] });
  const agent = createSsrfSafeAgent(hosts, { ca });
  after(() => agent.destroy());
  return await createSender({ hosts, agent, timeoutMs })({ url, headers, body: '{}' });
}

async function attemptAt(response: Responder) {
  const receiver = await startReceiver(response);
  after(receiver.stop);
  return { ...(await attempt(receiver.url)), host: receiver.host };
}

/** Starts a TCP server that does not speak HTTP. */
async function startRaw(respond: (socket: Socket) => void) {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    respond(socket);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  after(() => server.close());
  return `localhost:${(server.address() as { port: number }).port}`;
}

describe('an attempt', () => {
  for (const status of [200, 201, 202, 204]) {
    test(`with response ${status} is delivered`, async () => {
      const outcome = await attemptAt(respondWith(status));
      assert.deepEqual([outcome.status, outcome.error], [status, null]);
    });
  }

  for (const status of [301, 302, 303, 304, 307, 308, 400, 401, 404, 410, 429, 500, 503, 599]) {
    test(`with response ${status} is not delivered`, async () => {
      const outcome = await attemptAt(respondWith(status, { location: 'http://127.0.0.1:1/' }));
      assert.equal(outcome.status, status);
      assert.match(outcome.error!, new RegExp(`^The endpoint responded ${status}[.]`));
    });
  }

  for (const [description, text, status] of [
    ['204 with a Content-Length', '204 No Content\r\ncontent-length: 2\r\n\r\nok', 204],
    ['200 with a body that is too short', '200 OK\r\ncontent-length: 9\r\n\r\nok', 200],
    ['202 with a broken chunk', '202 OK\r\ntransfer-encoding: chunked\r\n\r\nnone\r\n', 202],
    ['103 before 200', '103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n', 200],
    ['100 before 200', '100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok', 200],
    [
      'of several 1xx before 204',
      `${'100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 '.repeat(3)}204 No Content\r\n\r\n`,
      204,
    ],
    ['100 before 500', '100 Continue\r\n\r\nHTTP/1.1 500 No\r\ncontent-length: 0\r\n\r\n', 500],
    ['503 with a body that is too short', '503 Busy\r\ncontent-length: 9\r\n\r\nno', 503],
  ] as const) {
    test(`with response ${description} is decided by the status`, async () => {
      const host = await startRaw((socket) =>
        socket.once('data', () => socket.end(`HTTP/1.1 ${text}`)),
      );
      const outcome = await attempt(`http://${host}/`);
      assert.equal(outcome.status, status);
      assert.equal(outcome.error, status < 300 ? null : `The endpoint responded ${status}.`);
    });
  }

  test('over TLS requires a trusted certificate for the host name', async () => {
    const receiver = await startReceiver(undefined, { secure: true });
    after(receiver.stop);
    assert.equal((await attempt(receiver.url, { ca: CERTIFICATE })).error, null);
    const untrusted = await attempt(receiver.url);
    assert.match(untrusted.error!, /^The TLS certificate was rejected \(\w+\)\.$/);
    const other = receiver.url.replace('localhost', '127.0.0.1');
    assert.match((await attempt(other, { ca: CERTIFICATE })).error!, /ALTNAME/);
    assert.equal(receiver.received.length, 1);
  });

  for (const [description, respond, error] of [
    ['closes the connection', (socket) => socket.destroy(), /closed before a response arrived/],
    [
      'resets the connection',
      (socket) => socket.resetAndDestroy(),
      /closed before a response arrived|failed/,
    ],
    ['does not use HTTP', (socket) => socket.end('220 smtp ready\r\n'), /not valid HTTP/],
    [
      'sends headers without end',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\n');
        const timer = setInterval(() => socket.write(`x-filler: ${'x'.repeat(8000)}\r\n`), 5);
        socket.on('close', () => clearInterval(timer));
      },
      /headers are too large/,
    ],
  ] satisfies [string, Parameters<typeof startRaw>[0], RegExp][]) {
    test(`to a server that ${description} reports the reason`, async () => {
      const outcome = await attempt(`http://${await startRaw(respond)}/`);
      assert.match(outcome.error!, error);
      assert.equal(outcome.status, null);
    });
  }

  test('reports no addresses and ports in its error', async () => {
    const closed = await startRaw(() => {});
    for (const host of ['127.0.0.1:9', 'localhost:9', 'no-such-host.invalid:80', '[::1]:9']) {
      const { error } = await attempt(`http://${host}/`, { timeoutMs: 2_000 });
      assert.doesNotMatch(error!, /\d/, error!);
      assert.doesNotMatch(error!, /localhost|invalid|::/, error!);
    }
    const { error } = await attempt(`https://${closed}/`, { timeoutMs: 2_000 });
    assert.doesNotMatch(error!, /127|localhost|:\d/);
  });

  test('has a message for an unknown error', () => {
    assert.equal(describeDeliveryError('a string'), 'The connection failed.');
    assert.equal(describeDeliveryError(undefined), 'The connection failed.');
    const message = describeDeliveryError(
      new Error('connect EWHATEVER 10.0.0.1:22', { cause: 'x' }),
    );
    assert.equal(message, 'The connection failed.');
  });
});

describe('the retry schedule', () => {
  test('adds a tenth at most, and is never early', () => {
    assert.equal(
      delayBeforeNextAttempt(1, 0, () => 0),
      5_000,
    );
    assert.equal(
      delayBeforeNextAttempt(1, 0, () => 1),
      5_500,
    );
    assert.equal(
      delayBeforeNextAttempt(2, 600_000, () => 0),
      600_000,
    );
    assert.equal(delayBeforeNextAttempt(MAX_ATTEMPTS, 600_000), undefined);
  });

  test('parses Retry-After according to RFC 9110', () => {
    const now = new Date('2026-01-01T00:00:00Z');
    const read = (header?: string) => readRetryAfter(header, now);
    assert.equal(read('120'), 120_000);
    assert.equal(read('Thu, 01 Jan 2026 00:01:00 GMT'), 60_000);
    for (const invalidValue of [
      undefined,
      '',
      'soon',
      '-5',
      '1e9',
      'Wed, 31 Dec 2025 00:00:00 GMT',
    ]) {
      assert.equal(read(invalidValue), 0, invalidValue);
    }
  });
});
