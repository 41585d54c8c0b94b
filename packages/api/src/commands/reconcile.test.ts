import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { startServerProcess } from '../../test-support/processes/processes.ts';
import { runCommand } from '../../test-support/processes/run-command.ts';
import { startManualEventsSandbox } from '../../test-support/app/manual-events-sandbox.ts';
import { eventually } from '../../test-support/app/start-api.ts';

const sandboxApi = await startManualEventsSandbox();
const SRC_DIR = join(import.meta.dirname, '..');
const env = {
  DATABASE_URL: String(sandboxApi.pool.options.connectionString),
  API_SECRET: 'a secret of thirty-two characters',
  API_BASE_URL: sandboxApi.url,
  SANDBOX_URL: sandboxApi.sandboxUrl,
};

const run = (...args: string[]) => runCommand(env, ...args);

const startWorker = () =>
  startServerProcess(join(SRC_DIR, '../../cli/src/service/main.ts'), { ...env, API_PORT: '0' }, [
    '--role',
    'worker',
  ]);

describe('connect-embed reconcile', () => {
  test('reports differences, repairs them, and then finds none', async () => {
    const id = await sandboxApi.payDonation({ amount_cents: 6100 });
    const result = await run('reconcile', '--dry-run', '--organization', 'org_harbor');
    assert.match(
      result.stdout,
      new RegExp(
        `^org_harbor\\t${id}\\ta donation of 6100 usd was not recorded\\tNOT repaired$`,
        'm',
      ),
    );
    assert.equal(result.code, 1);
    const repaired = await run('reconcile');
    assert.equal(repaired.code, 0, repaired.stderr);
    assert.match(
      repaired.stdout,
      /^org_harbor\tevt_\w+\tthe Stripe event payment_intent\.succeeded/m,
    );
    assert.equal((await sandboxApi.donationOf(id)).amount_cents, 6100);
    assert.match((await run('reconcile')).stdout, /^\d+ objects checked, 0 differed/);
  });
});

test('connect-embed doctor prints a line for each check and finds no fault', async () => {
  const worker = await startWorker();
  const { code, stdout } = await run('doctor').finally(worker.stop);
  assert.equal(code, 0, stdout);
  assert.match(stdout, /^✓ Migrations: up to date\.$/m);
  assert.match(stdout, /\d+ passed, \d+ warnings, 0 failed\.\n$/);
});

test('a worker processes events that were missed while no process ran, as soon as it starts', async () => {
  const id = await sandboxApi.payDonation({ amount_cents: 6200 });
  const worker = await startWorker();
  try {
    await eventually(() => sandboxApi.donationOf(id).catch(() => undefined));
  } finally {
    assert.equal(await worker.stop(), 0);
  }
});
