import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ConnectError, ErrorEnvelope, PaymentIntent } from '@connect-embed/contract';
import { sql } from 'kysely';
import { cloneSeededDatabase } from '../../test-support/database/database.ts';
import { startServerProcess } from '../../test-support/processes/processes.ts';
import { stripeAt } from '../../test-support/app/start-api.ts';
import { createApiKey } from '../auth/api-key.ts';
import { openDatabase } from '../db/database.ts';
import { createColumnEncrypter } from '../lib/column-encrypter.ts';
import { removeExpired } from '../process/remove-expired.ts';
import { ProcessorQueue } from './processor-queue.ts';
import { secretKeyOf, StoredKeys } from './own-keys/stored-keys.ts';

/** Stripe's limit in these tests. The queue gives two turns a second, and the rest to retries. */
const REQUESTS_PER_SECOND = 3;
const TURNS_PER_SECOND = 2;
const API_SECRET = 'a secret of thirty-two characters';

const disposables = new AsyncDisposableStack();
after(() => disposables.disposeAsync());
const { url, drop } = await cloneSeededDatabase();
disposables.defer(drop);
const { db, close } = openDatabase(url);
disposables.defer(close);
const dataDir = await mkdtemp(join(tmpdir(), 'connect-queue-'));
disposables.defer(() => rm(dataDir, { recursive: true, force: true }));

const sandbox = await start('../../../sandbox/src/main.ts', {
  SANDBOX_PORT: '0',
  DATA_DIR: dataDir,
  SANDBOX_WEBHOOK_URL: '',
  SANDBOX_REQUESTS_PER_SECOND: `${REQUESTS_PER_SECOND}`,
});
const settings = {
  API_PORT: '0',
  DATABASE_URL: url,
  API_SECRET,
  SANDBOX_URL: sandbox.url,
  STRIPE_REQUESTS_PER_SECOND: `${REQUESTS_PER_SECOND}`,
};
const processes = await Promise.all(
  [1, 2].map(() => start('../../../cli/src/service/main.ts', settings, 'api')),
);
const { token } = await createApiKey(db, {
  organizationId: 'org_harbor',
  name: 'test',
  scopes: ['payments:write'],
});

async function start(main: string, env: Record<string, string>, role?: string) {
  const path = join(import.meta.dirname, main);
  const started = await startServerProcess(path, env, role ? ['--role', role] : []);
  disposables.defer(async () => void (await started.stop()));
  return started;
}

beforeEach(async () => {
  await sql`truncate processor_turn`.execute(db);
});

/** Sends a donation to one of the API processes. */
async function donate(key: string | undefined, index = 0, body: object = {}) {
  const response = await fetch(`${processes[index % 2]!.url}/api/v1/payment-intents`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      ...(key && { 'idempotency-key': key }),
    },
    body: JSON.stringify({ amount_cents: 2500, ...body }),
  });
  const result = (await response.json()) as PaymentIntent & ErrorEnvelope;
  const { code, queue_position: position } = result.error ?? {};
  const seconds = Number(response.headers.get('retry-after'));
  return { status: response.status, code, position, seconds, id: result.payment_intent_id };
}

/** Repeats a donation as the response says, until it is accepted. */
async function donateInTurn(key: string, index: number) {
  for (;;) {
    const response = await donate(key, index);
    if (response.status === 201) return response.id;
    assert.deepEqual([response.status, response.code], [429, 'processor_busy']);
    await sleep(response.seconds * 1000);
  }
}

/** Gives every turn of this second and the next ones to other donors. */
const fillTurns = (seconds: number, queue = 'platform') =>
  sql`insert into processor_turn (request_key, queue, turn_second, is_taken)
    select gen_random_uuid()::text, ${queue}, floor(extract(epoch from clock_timestamp())) + second, false
    from generate_series(0, ${seconds}::int) as second, generate_series(1, ${TURNS_PER_SECOND}::int)`.execute(
    db,
  );

describe('while more donations arrive than Stripe accepts', () => {
  test('each gets its position and the time of its turn, and keeps its place in all processes', async () => {
    await fillTurns(4);
    const first = await donate('first');
    assert.deepEqual([first.status, first.code], [429, 'processor_busy']);
    assert.ok(first.position! > 1 && first.position! <= 5 * TURNS_PER_SECOND + 1);
    assert.ok(first.seconds >= 1 && first.seconds <= 6);
    const second = await donate('second', 1);
    assert.ok(second.position! <= first.position! + 1);

    const again = await donate('first', 1);
    assert.equal(again.code, 'processor_busy');
    assert.ok(again.position! <= first.position!);
    assert.ok(again.seconds <= first.seconds);
    // A turn comes at a time of the clock of PostgreSQL.
    await sleep(again.seconds * 1000);
    assert.equal((await donate('first')).status, 201);
  });

  test('all are accepted once, first come, first served', async () => {
    const keys = Array.from({ length: 9 }, () => randomUUID());
    await Promise.all(keys.map((key, index) => donate(key, index)));
    const { rows } = await sql<{ turn_second: number; turns: number }>`
      select turn_second, count(*)::int as turns from processor_turn
      group by turn_second order by min(place)`.execute(db);
    const seconds = rows.map(({ turn_second }) => turn_second);
    assert.deepEqual(
      seconds,
      seconds.toSorted((one, other) => one - other),
    );
    assert.ok(rows.every(({ turns }) => turns <= TURNS_PER_SECOND));
    assert.equal(
      rows.reduce((total, { turns }) => total + turns, 0),
      keys.length,
    );

    const ids = await Promise.all(keys.map(donateInTurn));
    assert.equal(new Set(ids).size, keys.length);
  });

  test('a recurring donation waits in the same line', async () => {
    await fillTurns(2);
    const donor = { donor_email: 'ana@example.org', donor_name: 'Ana Ruiz', frequency: 'monthly' };
    assert.equal((await donate(randomUUID(), 0, donor)).code, 'processor_busy');
  });

  test('a request without Idempotency-Key waits, but has no place', async () => {
    await fillTurns(3);
    const { code, position, seconds } = await donate(undefined);
    assert.equal(code, 'processor_busy');
    assert.ok(position! > 1 && seconds >= 1);
    const last = await donate(randomUUID());
    assert.ok(last.position! <= position!);
  });

  test('an organization with its own Stripe keys does not wait for those of the platform', async () => {
    const encrypter = createColumnEncrypter(API_SECRET, 'stripe key');
    const storedKeys = new StoredKeys(db, encrypter);
    const queue = new ProcessorQueue({ db, storedKeys, requestsPerSecond: REQUESTS_PER_SECOND });
    const waitOf = async (account: string) => {
      const organization = {
        id: 'org_1',
        name: 'Orchard',
        currency: 'usd',
        processorAccountId: account,
        timeZone: 'UTC',
      };
      const request = { organization, requestKey: randomUUID(), canWait: true };
      const error = await queue.reserveTurn(request).catch((thrown: ConnectError) => thrown);
      return error?.code;
    };
    await fillTurns(2);
    assert.equal(await waitOf('acct_connected'), 'processor_busy');
    await storedKeys.remember('acct_own', {
      keys_of: 'org_1',
      encrypted_secret_key: await encrypter.encrypt('sk_test_1', secretKeyOf('org_1')),
      publishable_key: 'pk_test_1',
      livemode: false,
    });
    assert.equal(await waitOf('acct_own'), undefined);
  });
});

test('a donation that Stripe itself rejects with 429 is the first in line', async () => {
  const fault = { name: 'rate_limit', rate: 1, seed: 'a', path: '/v1/payment_intents' };
  const switchFault = async (method: string, body: object) => {
    const response = await fetch(`${sandbox.url}/sandbox/faults`, {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    assert.ok(response.ok, await response.text());
  };
  await switchFault('POST', { ...fault, count: 4 });
  const rejected = await donate('rejected');
  assert.deepEqual([rejected.code, rejected.position], ['processor_busy', 1]);
  await fillTurns(5);
  // A turn comes at a time of the clock of PostgreSQL.
  await sleep(rejected.seconds * 1000);
  const { status, id } = await donate('rejected', 1);
  assert.equal(status, 201);
  const stripe = stripeAt(sandbox.url);
  const account = { stripeAccount: 'acct_harbor_street' };
  assert.equal((await stripe.paymentIntents.retrieve(id, {}, account)).amount, 2500);
});

test('a place whose donor went away expires', async () => {
  await sql`insert into processor_turn (request_key, queue, turn_second, is_taken)
    select queue, queue, extract(epoch from clock_timestamp()) - 3700, false
    from unnest(array['platform', 'acct_unused']) as queue`.execute(db);
  const count = async () => (await sql`select from processor_turn`.execute(db)).rows.length;
  assert.equal((await donate(randomUUID())).status, 201);
  assert.equal(await count(), 2);
  await removeExpired(db);
  assert.equal(await count(), 1);
});
