/** Tests of the process of the stand-in for Stripe: output, settings, crashes. */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readdirSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { fileURLToPath } from 'node:url';
import { after, describe, test } from 'node:test';
import {
  createClient,
  confirmInBrowser,
  startReceiver,
  temporaryFolder,
  waitFor,
} from '../test-support/start-sandbox.ts';

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));
const CARD_NUMBER = '4242424242424242';

/** Environment without the caller's settings except the compile cache of the test run. */
const BARE_ENV = {
  PATH: process.env['PATH'],
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
};

function runSandbox(env: Record<string, string>, ...args: string[]) {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: { ...BARE_ENV, SANDBOX_PORT: '0', SANDBOX_WEBHOOK_URL: '', ...env },
  });
  after(() => child.kill('SIGKILL'));
  const output = { out: '', err: '' };
  child.stdout.on('data', (text: Buffer) => (output.out += text.toString()));
  child.stderr.on('data', (text: Buffer) => (output.err += text.toString()));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  const listening = () =>
    waitFor(() => /^sandbox listening on (http:\/\/localhost:\d+)$/m.exec(output.out)?.[1]);
  return { child, output, ended, listening };
}

describe('the process', () => {
  test('loses no confirmed payment when it is killed', async () => {
    const DATA_DIR = temporaryFolder();
    const first = runSandbox({ DATA_DIR });
    const stripe = createClient(await first.listening());
    const paid: string[] = [];
    for (let count = 0; count < 20; count += 1) {
      const { id } = await stripe.paymentIntents.create(
        { amount: 5000, currency: 'usd', confirm: true, payment_method: 'pm_card_visa' },
        { idempotencyKey: `donation ${count}` },
      );
      paid.unshift(id);
    }
    first.child.kill('SIGKILL');
    await first.ended;

    const restarted = createClient(await runSandbox({ DATA_DIR }).listening());
    const { data } = await restarted.paymentIntents.list({ limit: 100 });
    assert.deepEqual(
      data.map(({ id }) => id),
      paid,
    );
    assert.ok(data.every(({ status }) => status === 'succeeded'));
    const events = await restarted.events.list({ type: 'payment_intent.succeeded', limit: 100 });
    assert.equal(events.data.length, 20);
    const repeated = await restarted.paymentIntents.create(
      { amount: 5000, currency: 'usd', confirm: true, payment_method: 'pm_card_visa' },
      { idempotencyKey: 'donation 19' },
    );
    assert.equal(repeated.id, paid[0]);
  });

  test('loses no confirmed payment when it is killed under load', async () => {
    const DATA_DIR = temporaryFolder();
    const first = runSandbox({ DATA_DIR });
    const stripe = createClient(await first.listening());
    const confirmedIds: string[] = [];
    const workers = Array.from({ length: 16 }, async (_, worker) => {
      for (let call = 0; call < 50; call += 1) {
        const donation = { amount: 5000, currency: 'usd', confirm: true } as const;
        const { id } = await stripe.paymentIntents.create(
          { ...donation, payment_method: 'pm_card_visa' },
          { idempotencyKey: `donation ${worker} ${call}` },
        );
        confirmedIds.push(id);
      }
    });
    await waitFor(() => confirmedIds.length > 60);
    first.child.kill('SIGKILL');
    await Promise.allSettled(workers);
    await first.ended;

    const restarted = createClient(await runSandbox({ DATA_DIR }).listening());
    const intents = await restarted.paymentIntents
      .list({ limit: 100 })
      .autoPagingToArray({ limit: 9999 });
    const paid = new Set(
      intents.filter(({ status }) => status === 'succeeded').map(({ id }) => id),
    );
    assert.deepEqual(
      confirmedIds.filter((id) => !paid.has(id)),
      [],
    );
    const charges = await restarted.charges.list({ limit: 100 }).autoPagingToArray({ limit: 9999 });
    const events = await restarted.events
      .list({ type: 'payment_intent.succeeded', limit: 100 })
      .autoPagingToArray({ limit: 9999 });
    assert.deepEqual([charges.length, events.length], [paid.size, paid.size]);
  });

  const needsPrlimit = { skip: process.platform !== 'linux' };
  test(
    'responds with an error while the disk is full, and goes on afterwards',
    needsPrlimit,
    async () => {
      // A process that may not write to files gets the errors of a full disk.
      const limitFiles = (size: string) =>
        execFileSync('prlimit', [`--pid=${child.pid}`, `--fsize=${size}:unlimited`]);
      const receiver = await startReceiver([500, 204]);
      const { child, output, listening } = runSandbox({
        DATA_DIR: temporaryFolder(),
        SANDBOX_WEBHOOK_URL: receiver.url,
      });
      const stripe = createClient(await listening());
      const pay = (payment_method = 'pm_card_visa') =>
        stripe.paymentIntents.create({
          ...{ amount: 5000, currency: 'usd', confirm: true, payment_method },
        });
      // An event is sent again after a second; the end of the refund is a job that is due in three.
      const { id } = await pay('pm_card_pendingRefund');
      await stripe.refunds.create({ payment_intent: id });
      child.kill('SIGSTOP'); // On a busy machine, both would be saved before the disk is full.
      limitFiles('0');
      child.kill('SIGCONT');
      for (let attempt = 0; attempt < 3; attempt += 1) {
        await assert.rejects(pay(), {
          statusCode: 500,
          message: /Nothing was changed. Is the disk full\?/,
        });
      }
      await waitFor(() => /scheduled jobs could not be saved/.test(output.err));
      await waitFor(() => /delivery .* could not be saved/.test(output.err));
      assert.equal((await stripe.paymentIntents.retrieve(id)).status, 'succeeded');

      limitFiles('unlimited');
      assert.equal((await pay()).status, 'succeeded');
      assert.equal((await stripe.paymentIntents.list()).data.length, 2);
      await waitFor(async () => {
        const { data } = await stripe.events.list({ limit: 100 });
        const isRefunded = data.some(({ type }) => type === 'refund.updated');
        return isRefunded && data.every(({ pending_webhooks }) => pending_webhooks === 0);
      });
    },
  );

  test('writes no card number to its files or its output', async () => {
    const DATA_DIR = temporaryFolder();
    const { child, output, ended, listening } = runSandbox({ DATA_DIR });
    const url = await listening();
    const intent = await createClient(url).paymentIntents.create({ amount: 5000, currency: 'usd' });
    const cvc = { 'payment_method_data[card][cvc]': '9173' };
    await confirmInBrowser(url, intent, '4000 0000 0000 0002', cvc);
    await confirmInBrowser(url, intent, CARD_NUMBER, cvc);
    assert.match(await (await fetch(url)).text(), /•••• 4242/);
    child.kill('SIGKILL');
    await ended;
    const files = readdirSync(DATA_DIR).map((name) =>
      readFileSync(`${DATA_DIR}/${name}`, 'latin1'),
    );
    for (const text of [...files, output.out, output.err]) {
      for (const secret of [CARD_NUMBER, '4000000000000002', '9173'])
        assert.ok(!text.includes(secret));
    }
    assert.ok(files.some((text) => text.includes('last4')));
    assert.ok(!output.err.includes('_secret_'));
  });

  test('responds to local and allowed host names only (DNS rebinding)', async () => {
    const { listening } = runSandbox({ DATA_DIR: temporaryFolder(), ALLOWED_HOSTS: 'sandbox' });
    const { port } = new URL(await listening());
    const statusOf = async (path: string, host: string) => {
      const request = get({ host: '127.0.0.1', port, path, headers: { host } });
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      response.resume();
      return response.statusCode;
    };
    for (const path of ['/', '/sandbox/clock', '/v3/']) {
      assert.equal(await statusOf(path, `rebinding.example:${port}`), 403, path);
      assert.notEqual(await statusOf(path, `localhost:${port}`), 403, path);
    }
    assert.equal(await statusOf('/v1/charges', `rebinding.example:${port}`), 403);
    assert.equal(await statusOf('/v1/charges', `localhost:${port}`), 401); // The API key is missing.
    assert.equal(await statusOf('/', `sandbox:${port}`), 200);
    assert.equal(await statusOf('/', `127.0.0.1:${port}`), 200);
  });

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    test(`exits with code 0 on ${signal}`, async () => {
      const { child, ended, listening } = runSandbox({ DATA_DIR: temporaryFolder() });
      await listening();
      child.kill(signal);
      assert.equal(await ended, 0);
    });
  }

  test('prints its settings with --help', async () => {
    const { ended, output } = runSandbox({}, '--help');
    assert.equal(await ended, 0);
    assert.match(output.out, /SANDBOX_PORT/);
    assert.equal(output.err, '');
  });

  test('prints one line with its URL, and no warning', async () => {
    const { listening, output } = runSandbox({ DATA_DIR: temporaryFolder() });
    await listening();
    assert.equal(output.out.trim().split('\n').length, 1);
    assert.equal(output.err, '');
  });

  for (const [level, isPrinted] of [
    ['info', true],
    ['warn', false],
  ] as const) {
    test(`${isPrinted ? 'prints' : 'does not print'} requests at LOG_LEVEL=${level}`, async () => {
      const { child, ended, listening, output } = runSandbox({
        DATA_DIR: temporaryFolder(),
        LOG_LEVEL: level,
      });
      const url = await listening();
      await createClient(url).paymentIntents.create({ amount: 5000, currency: 'usd' });
      child.kill('SIGTERM');
      await ended;
      assert.equal(/POST \/v1\/payment_intents 200/.test(output.err), isPrinted);
    });
  }

  test('starts in production only with SANDBOX_IN_PRODUCTION, and prints a warning', async () => {
    const { listening, output } = runSandbox({
      DATA_DIR: temporaryFolder(),
      NODE_ENV: 'production',
      SANDBOX_IN_PRODUCTION: '1',
    });
    await listening();
    assert.match(output.err, /WARNING: .*NO MONEY MOVES/);
  });
});

describe('the process does not start', () => {
  const assertDoesNotStart = async (env: Record<string, string>, expectedMessage: RegExp) => {
    const { ended, output } = runSandbox({ DATA_DIR: temporaryFolder(), ...env });
    assert.equal(await ended, 1);
    assert.match(output.err, expectedMessage);
    assert.equal(output.out, '');
  };

  test('with a Stripe key in the environment', () =>
    assertDoesNotStart({ STRIPE_SECRET_KEY: 'sk_live_1' }, /STRIPE_SECRET_KEY/));
  test('in production without SANDBOX_IN_PRODUCTION', () =>
    assertDoesNotStart({ NODE_ENV: 'production' }, /SANDBOX_IN_PRODUCTION/));
  test('with an invalid port', () => assertDoesNotStart({ SANDBOX_PORT: 'http' }, /SANDBOX_PORT/));
  test('with an unknown log level', () => assertDoesNotStart({ LOG_LEVEL: 'loud' }, /LOG_LEVEL/));
  test('with a port above 65535', () =>
    assertDoesNotStart({ SANDBOX_PORT: '70000' }, /SANDBOX_PORT/));
  test('with an invalid webhook URL', () =>
    assertDoesNotStart({ SANDBOX_WEBHOOK_URL: 'localhost' }, /SANDBOX_WEBHOOK_URL/));

  test('on a port that is in use', async () => {
    const port = new URL(await runSandbox({ DATA_DIR: temporaryFolder() }).listening()).port;
    await assertDoesNotStart(
      { SANDBOX_PORT: port },
      new RegExp(`Port ${port} is already in use. Set SANDBOX_PORT`),
    );
  });

  test('on a database that another sandbox uses', async () => {
    const DATA_DIR = temporaryFolder();
    await runSandbox({ DATA_DIR }).listening();
    await assertDoesNotStart({ DATA_DIR }, /in use by another sandbox/);
  });
});
