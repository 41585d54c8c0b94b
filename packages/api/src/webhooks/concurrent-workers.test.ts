import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { join } from 'node:path';
import { sql } from 'kysely';
import { startServerProcess } from '../../test-support/processes/processes.ts';
import { eventually } from '../../test-support/app/start-api.ts';
import { openQueue, SECRET } from '../../test-support/network/webhook-queue.ts';
import {
  respondWith,
  neverRespond,
  startReceiver,
  type Responder,
  type Receiver,
} from '../../test-support/network/webhook-receiver.ts';

const MAIN = join(import.meta.dirname, '../../../cli/src/service/main.ts');

/** Starts a queue with an endpoint, and a function that starts API processes on it. */
async function open(responder?: Responder) {
  const queue = await openQueue();
  const receiver = await startReceiver(responder);
  after(receiver.stop);
  await queue.addEndpoint(receiver);
  return { ...queue, receiver, startApi: () => startApi(queue.url, receiver) };
}

async function startApi(databaseUrl: string, { host }: Receiver) {
  const serverProcess = await startServerProcess(MAIN, {
    API_PORT: '0',
    DATABASE_URL: databaseUrl,
    API_SECRET: SECRET,
    WEBHOOK_ALLOW_HOSTS: host,
    // The worker must not use a proxy: it could connect to private hosts.
    HTTP_PROXY: 'http://127.0.0.1:9',
    HTTPS_PROXY: 'http://127.0.0.1:9',
    NODE_USE_ENV_PROXY: '1',
  });
  after(() => serverProcess.process.kill('SIGKILL'));
  return serverProcess;
}

/** Lets every lease end at a time relative to now. */
const setLeases = (db: Awaited<ReturnType<typeof openQueue>>['db'], end: string) =>
  sql`update webhook_delivery set leased_until = now() + ${end}::interval
    where leased_until is not null`.execute(db);

const idsOf = (receiver: Receiver) => receiver.received.map(({ headers }) => headers['webhook-id']);

describe('delivery by several processes', () => {
  test('stops if the worker crashed during the last attempt', async () => {
    const { receiver, db, enqueueEvents, startApi, deliveryWhen } = await open();
    await enqueueEvents();
    await sql`update webhook_delivery
      set attempts = 10, leased_until = now() - interval '1 s'`.execute(db);
    await startApi();
    const row = await deliveryWhen(({ status }) => status !== 'pending');
    assert.equal(row.status, 'failed');
    assert.equal(row.last_error, 'The last attempt was interrupted.');
    assert.equal(row.attempts, 10);
    assert.equal(receiver.received.length, 0);
  });

  test('sends each event once', async () => {
    const { receiver, enqueueEvents, receive, startApi } = await open();
    const serverProcesses = await Promise.all([startApi(), startApi()]);
    await enqueueEvents(300);
    await receive(receiver, 300);
    // The log line of an attempt follows the request.
    const shares = await eventually(async () => {
      const attemptCounts = serverProcesses.map(
        (serverProcess) => serverProcess.log().split('"webhook attempt"').length - 1,
      );
      return attemptCounts[0]! + attemptCounts[1]! >= 300 ? attemptCounts : undefined;
    });
    // An event that is sent twice would be sent before a later one.
    await enqueueEvents();
    await receive(receiver, 301);
    assert.equal(receiver.received.length, 301);
    assert.equal(new Set(idsOf(receiver)).size, 301);
    assert.equal(shares[0]! + shares[1]!, 300);
    assert.ok(Math.min(...shares) > 0, `one did all of it: ${shares.join(' + ')}`);
  });

  test('warns when private hosts are allowed', async () => {
    const serverProcess = await (await open()).startApi();
    assert.match(serverProcess.log(), /WEBHOOK_ALLOW_HOSTS is set.*Never set it in production/);
  });

  test('survives kill -9: the event is sent again with the same id', async () => {
    const { receiver, db, addEndpoint, enqueueEvents, receive, startApi, deliveryWhen } =
      await open(neverRespond);
    const killed = await startApi();
    await enqueueEvents();
    await receive(receiver, 1);
    killed.process.kill('SIGKILL');
    await setLeases(db, '1 hour'); // On a busy machine it ends before the next process has started.
    receiver.setResponder(respondWith(204));
    await startApi();
    // The other process sends an event to another endpoint, and not the one of the killed process,
    // whose lease is still valid.
    await addEndpoint(receiver);
    await enqueueEvents();
    await receive(receiver, 2);
    const [first, second] = idsOf(receiver);
    assert.notEqual(first, second);
    await setLeases(db, '-1 s');
    await deliveryWhen(({ status, attempts }) => status === 'delivered' && attempts === 2);
    assert.equal(idsOf(receiver).filter((id) => id === first).length, 2);
  });

  test('finishes a running attempt when it is stopped, and exits with 0', async () => {
    const { receiver, enqueueEvents, receive, startApi, deliveries } = await open((response) => {
      setTimeout(() => response.writeHead(204).end(), 1_000);
    });
    const serverProcess = await startApi();
    await enqueueEvents();
    await receive(receiver, 1);
    assert.equal(await serverProcess.stop(), 0);
    const [row] = await deliveries();
    assert.equal(row!.status, 'delivered');
    assert.equal(receiver.received.length, 1);
  });
});

describe('a worker', () => {
  test('that is stopped releases a hanging attempt, which does not count for the schedule', async () => {
    const { receiver, enqueueEvents, receive, startWorker, deliveries } = await open(neverRespond);
    const worker = startWorker([receiver]);
    await enqueueEvents();
    await receive(receiver, 1);
    const at = performance.now();
    await worker.stop(200);
    assert.ok(performance.now() - at < 10_000); // An attempt may take 20 seconds.
    const [row] = await deliveries();
    assert.equal(row!.status, 'pending');
    assert.equal(row!.leased_until, null);
    assert.deepEqual([row!.attempts, row!.attempts_before_redelivery], [1, 1]);
  });

  test('whose response arrives after its lease expired changes nothing', async () => {
    let sendResponse!: () => void;
    const { receiver, db, enqueueEvents, receive, startWorker, deliveryWhen, deliveries } =
      await open((response, _, count) => {
        if (count > 1) return void response.writeHead(200).end();
        sendResponse = () => void response.writeHead(500).end();
      });
    const slowWorker = startWorker([receiver], { leaseMs: 300, timeoutMs: 60_000 });
    await enqueueEvents();
    await receive(receiver, 1);
    const stopping = slowWorker.stop(60_000); // It claims nothing more, and waits for its response.
    startWorker([receiver]);
    const row = await deliveryWhen(({ status }) => status === 'delivered');
    sendResponse();
    await stopping;
    assert.deepEqual(await deliveries(), [row]);
    const attempts = await db.selectFrom('webhook_attempt').selectAll().execute();
    assert.deepEqual(
      attempts.map(({ number, response_status }) => [number, response_status]),
      [[2, 200]],
    );
  });

  test('continues after the database was unreachable', async () => {
    const { receiver, db, enqueueEvents, receive, startWorker } = await open();
    startWorker([receiver]);
    // An ordinary user cannot end the server's own processes.
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where usename = current_user
      and datname = current_database() and pid <> pg_backend_pid()`.execute(db);
    // The pool may still contain connections that were ended.
    await eventually(() =>
      enqueueEvents().then(
        () => true,
        () => undefined,
      ),
    );
    await receive(receiver, 1);
  });

  test('delivers four hundred events', async (t) => {
    const { receiver, db, enqueueEvents, receive, startWorker } = await open();
    await enqueueEvents(400);
    await sql`update webhook_endpoint set slow = false`.execute(db);
    const at = Date.now();
    startWorker([receiver]);
    await receive(receiver, 400);
    const seconds = (Date.now() - at) / 1000;
    t.diagnostic(`${Math.round(400 / seconds)} notices a second to one endpoint`);
    assert.equal(new Set(idsOf(receiver)).size, 400);
  });
});
