import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { eventually } from '@connect-embed/api/test-support/app/start-api';
import { startFaultyNetwork } from '@connect-embed/api/test-support/network/faulty-network';
import { startServerProcess } from '@connect-embed/api/test-support/processes/processes';
import { createApiKey } from '@connect-embed/api/auth/api-key';
import { DEMO_ORGANIZATION_ID } from '@connect-embed/api/db/seed';
import { openService } from '../../test-support/open-service.ts';

const SANDBOX = join(import.meta.dirname, '../../../sandbox/src/main.ts');
const PRODUCTION = { NODE_ENV: 'production' };

const { db, start } = await openService({ API_SECRET: 's'.repeat(32) });

const otherProgram = createServer().listen(0);
after(() => otherProgram.close());
const portInUse = String((otherProgram.address() as AddressInfo).port);

const countRows = async (table: 'organization' | 'donation') =>
  (await db.selectFrom(table).select('id').execute()).length;

/** Sends raw bytes to the server, and returns the response when the connection is closed. */
const sendRawBytes = (url: string, bytes: string) =>
  new Promise<string>((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(bytes));
    let response = '';
    socket.setEncoding('utf8').on('data', (text: string) => (response += text));
    socket.on('close', () => resolve(response)).on('error', reject);
  });

describe('the API process', () => {
  test('seeds an empty database once, even if two processes start at once', async () => {
    assert.equal(await countRows('organization'), 0);
    const [one, other] = await Promise.all([start(['--seed']), start(['--seed'])]);
    assert.equal(await countRows('organization'), 2);
    const donations = await countRows('donation');
    assert.ok(donations > 300, String(donations));
    await Promise.all([one.stop(), other.stop()]);
    await start(['--seed']);
    assert.equal(await countRows('donation'), donations);
  });

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    test(`finishes running requests and exits with 0 on ${signal}`, async () => {
      const serverProcess = await start();
      const exitCode = new Promise((resolve) => serverProcess.process.once('exit', resolve));
      const running = fetch(`${serverProcess.url}/readyz`);
      const response = await running;
      serverProcess.process.kill(signal);
      assert.equal(response.status, 200);
      assert.equal(await exitCode, 0);
    });
  }

  test('finishes a payment intent that Stripe is creating on SIGTERM', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'connect-sandbox-'));
    const sandbox = await startServerProcess(SANDBOX, {
      SANDBOX_PORT: '0',
      DATA_DIR: dataDir,
      SANDBOX_WEBHOOK_URL: '',
      SANDBOX_LATENCY_MS: '1000',
    });
    const stripe = await startFaultyNetwork(sandbox.url);
    const api = await start(['--seed'], { SANDBOX_URL: stripe.url });
    const { token } = await createApiKey(db, {
      organizationId: DEMO_ORGANIZATION_ID,
      name: 'test',
      scopes: ['payments:write'],
    });
    const running = fetch(`${api.url}/api/v1/payment-intents`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ amount_cents: 2000 }),
    });
    const isCreating = () => stripe.requests.some(({ path }) => path === '/v1/payment_intents');
    await eventually(async () => isCreating() || undefined);
    const exitCode = api.stop();
    assert.equal((await running).status, 201);
    assert.equal(await exitCode, 0);
    await assert.rejects(fetch(`${api.url}/healthz`), 'nothing listens any more');
    await stripe.stop();
    await sandbox.stop();
    await rm(dataDir, { recursive: true });
  });

  test('does not start with another API_SECRET than earlier processes', async () => {
    await assert.rejects(
      start([], { API_SECRET: 'o'.repeat(32) }),
      /API_SECRET: this database was set up with another secret/,
    );
  });

  test('names the variable to set if its port is in use', async () => {
    await assert.rejects(
      start([], { API_PORT: portInUse }),
      new RegExp(
        `ended with 1:\\n(.*\\n)*Port ${portInUse} is already in use. Set API_PORT to another port.`,
      ),
    );
  });

  test('reports invalid settings or an unreachable database, and exits', async () => {
    await assert.rejects(start([], { API_PORT: 'http' }), /ended with 1:\nAPI_PORT /);
    const unreachableUrl = 'postgres://nobody@127.0.0.1:9/nothing';
    await assert.rejects(
      start([], { DATABASE_URL: unreachableUrl }),
      /ended with 1:\nThe migrations failed: .*ECONNREFUSED/,
    );
  });

  test('in production reports each of them as one line of JSON', async () => {
    for (const [variables, message] of [
      [{ API_PORT: 'http' }, /^API_PORT /],
      [{ DATABASE_URL: 'postgres://nobody@127.0.0.1:9/nothing' }, /ECONNREFUSED/],
      [{ API_PORT: portInUse }, /is already in use/],
    ] as const) {
      const environment = { ...PRODUCTION, ...variables };
      const error = await start([], environment).catch((reason: Error) => reason);
      const lines = (error as Error).message.split('\n').slice(1).filter(Boolean);
      const entries = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
      const { level, service, version, msg } = entries.at(-1)!;
      assert.deepEqual([level, service, typeof version], [60, 'api', 'string']);
      assert.match(msg as string, message);
    }
  });

  test('responds to malformed HTTP with the error envelope', async () => {
    const { url } = await start();
    const big = `GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`;
    for (const [bytes, status] of [
      ['NONSENSE\r\n\r\n', 400],
      [big, 431],
    ] as const) {
      const response = await sendRawBytes(url, bytes);
      assert.match(response, new RegExp(`^HTTP/1.1 ${status} `));
      assert.match(
        response,
        /\{"error":\{"type":"invalid_request","code":"parameter_invalid","message":"request /,
      );
    }
    const host = await sendRawBytes(
      url,
      'GET / HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n',
    );
    assert.match(host, /^HTTP\/1.1 400 /);
    assert.match(host, /"type":"invalid_request"/);
  });
});
