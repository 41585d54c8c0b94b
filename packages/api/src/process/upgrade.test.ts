import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ALL_SCOPES, type PaymentIntent } from '@connect-embed/contract';
import { sql } from 'kysely';
import { cloneDatabase } from '../../test-support/database/database.ts';
import { freePort } from '../../test-support/processes/free-port.ts';
import { checkOutPreviousRelease } from '../../test-support/processes/previous-release.ts';
import { startServerProcess } from '../../test-support/processes/processes.ts';
import { eventually, stripeAt } from '../../test-support/app/start-api.ts';
import { createApiKey } from '../auth/api-key.ts';
import { openDatabase } from '../db/database.ts';
import { migrate } from '../db/migrate.ts';
import { DEMO_ORGANIZATION_ID } from '../db/seed.ts';

const MAIN = join(import.meta.dirname, '../../../cli/src/service/main.ts');
const SANDBOX = join(import.meta.dirname, '../../../sandbox/src/main.ts');
const DONORS = 3;
/** Donations before the migration, after it, and of the new release. */
const DONATIONS = 6;

const disposables = new AsyncDisposableStack();
after(() => disposables.disposeAsync());
const { url, drop } = await cloneDatabase();
disposables.defer(drop);
const { db, close } = openDatabase(url, { limitStatements: false });
disposables.defer(close);
const previous = checkOutPreviousRelease();
disposables.defer(previous.remove);

/** A donor pays with a test card through an API process. Returns the id of the payment intent. */
async function donate(apiUrl: string, stripe: ReturnType<typeof stripeAt>): Promise<string> {
  const key = { organizationId: DEMO_ORGANIZATION_ID, name: 'test', scopes: ALL_SCOPES };
  const { token } = await createApiKey(db, key);
  const response = await fetch(`${apiUrl}/api/v1/payment-intents`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    // Each donor has a row of its own: many payments of one donor at once wait for each other.
    body: JSON.stringify({ amount_cents: 2500, donor_email: `${randomUUID()}@example.org` }),
  });
  assert.equal(response.status, 201, await response.clone().text());
  const intent = (await response.json()) as PaymentIntent;
  const { payment_intent_id: id, stripe_account_id: stripeAccount } = intent;
  const paid = await stripe.paymentIntents.confirm(
    id,
    { payment_method: 'pm_card_visa' },
    { stripeAccount: stripeAccount! },
  );
  assert.equal(paid.status, 'succeeded');
  return id;
}

/**
 * What migrations may do while the previous release runs (CONTRIBUTING.md), so that the test changes
 * tables also if this release has no migration. Each table has a transaction of its own, as migrations
 * have.
 */
async function expand(): Promise<void> {
  for (const table of ['organization', 'payment_intent', 'donor', 'donation', 'mail', 'payout']) {
    await sql`alter table ${sql.table(table)}
      add column test_text text,
      add column test_flag boolean not null default false`.execute(db);
  }
  await sql`create table test_table (
    id text collate "C" primary key,
    donation_id text collate "C" not null references donation
  )`.execute(db);
  await sql`create index test_index on donation (organization_id, test_text)`.execute(db);
}

/** Returns the lines of the levels `error` and `fatal`. */
const errorsIn = (log: string) => log.split('\n').filter((line) => /"level":[56]0/.test(line));

test('the previous release serves donations while a database is upgraded', async (t) => {
  t.diagnostic(`previous release: ${previous.tag ?? 'none, so this one'}`);
  await sql`drop schema public cascade`.execute(db);
  await sql`create schema public`.execute(db);
  const dataDir = await mkdtemp(join(tmpdir(), 'connect-sandbox-'));
  disposables.defer(() => rm(dataDir, { recursive: true, force: true }));
  const port = await freePort();
  const sandbox = await startServerProcess(SANDBOX, {
    SANDBOX_PORT: '0',
    DATA_DIR: dataDir,
    SANDBOX_WEBHOOK_URL: `http://127.0.0.1:${port}/processor-events`,
  });
  disposables.defer(async () => void (await sandbox.stop()));
  const stripe = stripeAt(sandbox.url);
  const start = async (main: string, apiPort: string) => {
    const serverProcess = await startServerProcess(
      main,
      {
        API_PORT: apiPort,
        DATABASE_URL: url,
        API_SECRET: 'a secret of thirty-two characters',
        SANDBOX_URL: sandbox.url,
        STRIPE_REQUESTS_PER_SECOND: '10000', // A fast machine makes more than 22 donations a second.
      },
      ['--seed'],
    );
    disposables.defer(async () => void (await serverProcess.stop()));
    return serverProcess;
  };

  const oldProcess = await start(previous.main, port);
  const intents: string[] = [];
  const failures: unknown[] = [];
  const stopping = new AbortController();
  disposables.defer(() => stopping.abort()); // Also if the test fails.
  const donors = Array.from({ length: DONORS }, async () => {
    while (!stopping.signal.aborted) {
      await donate(oldProcess.url, stripe).then(
        (id) => intents.push(id),
        (error: unknown) => failures.push(error),
      );
      await sleep(50);
    }
  });
  const waitForDonations = async (count: number) => {
    const goal = intents.length + count;
    await eventually(async () => intents.length >= goal || failures.length > 0 || undefined);
  };
  const countRecorded = async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from donation
      where processor_payment_intent_id = any (${intents})`.execute(db);
    return rows[0]!.count;
  };

  await waitForDonations(DONATIONS);
  await migrate(db);
  await expand();
  await waitForDonations(DONATIONS);
  const newProcess = await start(MAIN, '0');
  await waitForDonations(DONATIONS);
  stopping.abort();
  await Promise.all(donors);
  assert.deepEqual(failures, [], oldProcess.log());
  await eventually(async () => (await countRecorded()) === intents.length || undefined);
  assert.deepEqual(errorsIn(oldProcess.log()), []);

  for (let count = 0; count < DONATIONS; count += 1) {
    intents.push(await donate(newProcess.url, stripe));
  }
  // The old process still receives Stripe's events.
  await eventually(async () => (await countRecorded()) === intents.length || undefined);
  assert.deepEqual(errorsIn(oldProcess.log()), []);
});
