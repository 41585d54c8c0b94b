import assert from 'node:assert/strict';
import { after, mock, test } from 'node:test';
import type { PaymentIntent, PaymentIntentStatus } from '@connect-embed/contract';
import { CrashPoints } from '../../test-support/crash-points.ts';
import { ProcessorLedger } from '../../test-support/processor-ledger.ts';
import { startApi } from '../../test-support/start-api.ts';
import { DEMO_ORGANIZATION_ID } from '../db/seed.ts';
import { reconcile } from './reconcile/reconcile.ts';
import { prepareEvent } from './stripe-events/handlers.ts';

/** How the events of a declined card and of the payment after it arrive. */
const DELIVERIES = ['in order', 'reversed', 'only by reconciliation'] as const;

/** One path through the protocol. `Infinity`, which a failure shows as null, means no crash. */
interface Path {
  requestCrash: number;
  eventCrash: number;
  retries: 1 | 2;
  delivery: (typeof DELIVERIES)[number];
}

// The timer that renews the lock of an idempotency key would outlive a crashed process.
mock.timers.enable({ apis: ['setInterval'] });
after(() => mock.timers.reset()); // The next test file runs in the same process.
const { db, deps, pool, post, get, createKey } = await startApi();
const { token } = await createKey(['payments:write']);
const { processor_account_id: account } = await db
  .selectFrom('organization')
  .select('processor_account_id')
  .where('id', '=', DEMO_ORGANIZATION_ID)
  .executeTakeFirstOrThrow();
const crashPoints = new CrashPoints(pool);
const ledger = new ProcessorLedger();
ledger.install(deps.processor, (call) => crashPoints.operation(call));

let paths = 0;

/** Makes one donation along a path, with the retries that browser and processor make, and checks it. */
async function donate(path: Path): Promise<{ requestCrashed: boolean; eventsCrashed: boolean }> {
  const name = JSON.stringify(path);
  const [key, amount_cents] = [`path-${(paths += 1)}`, 1000 + paths];
  const eventsBefore = ledger.events.length;
  const intentsBefore = ledger.intents.size;
  const send = () => post('/payment-intents', token, { amount_cents }, { 'idempotency-key': key });

  await db.deleteFrom('request_budget').execute(); // This test makes more requests than a key may.
  const first = await crashPoints.run(path.requestCrash, send);
  // The lock of a crashed request has expired when the donor tries again.
  await db
    .updateTable('idempotency_key')
    .set({ locked_until: new Date(0) })
    .where('key', '=', key)
    .execute();
  const retried = await Promise.all(Array.from({ length: path.retries }, send));
  const responses = [first, ...retried].filter((response) => response?.status === 201);
  for (const { status } of retried) assert.ok([201, 409].includes(status), `${name}: ${status}`);
  const intents = (await Promise.all(
    responses.map((response) => response!.json()),
  )) as PaymentIntent[];
  const { payment_intent_id: id, reference } = intents[0]!;
  assert.ok(
    intents.every((intent) => intent.payment_intent_id === id),
    `${name}: two payment intents were returned`,
  );
  assert.equal(ledger.intents.size - intentsBefore, 1, `${name}: two payment intents exist`);

  ledger.decline(id);
  ledger.pay(id);
  const events = ledger.events.slice(eventsBefore);
  if (path.delivery === 'reversed') events.reverse();
  const isDelivered = path.delivery !== 'only by reconciliation';
  const deliver = async () => {
    for (const event of events) await prepareEvent({ ...event, account: account! })(deps);
    return true;
  };
  const handleEvents = isDelivered ? deliver : reconcileEvents;
  const handled = await crashPoints.run(path.eventCrash, handleEvents);
  // The processor delivers again what was not acknowledged.
  await handleEvents();
  const expected = { id, amount_cents, reference };
  await assertRecordedOnce(name, expected);
  await deliver(); // Duplicates.
  await assertRecordedOnce(`${name}, duplicate events`, expected);
  return {
    requestCrashed: first === undefined,
    eventsCrashed: handled === undefined,
  };
}

async function reconcileEvents(): Promise<true> {
  const options = {
    organizationId: DEMO_ORGANIZATION_ID,
    compareOptionsFor: () => undefined,
    onFailure: (_: string, error: unknown) => {
      throw error;
    },
  };
  await reconcile(deps, options, { onDifference: () => {}, onChecked: () => {} });
  return true;
}

async function assertRecordedOnce(
  name: string,
  { id, amount_cents, reference }: { id: string; amount_cents: number; reference: string },
): Promise<void> {
  const donations = await db
    .selectFrom('donation')
    .selectAll()
    .where('processor_payment_intent_id', '=', id)
    .execute();
  const [donation] = donations;
  assert.equal(donations.length, 1, `${name}: donations`);
  assert.deepEqual([donation!.amount_cents, donation!.reference], [amount_cents, reference], name);
  const { count } = await db
    .selectFrom('webhook_event')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('body', 'like', `%${donation!.id}%`)
    .executeTakeFirstOrThrow();
  assert.equal(Number(count), 1, `${name}: webhook events`);
  const { failed_attempts } = await db
    .selectFrom('payment_intent')
    .select('failed_attempts')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  assert.equal(failed_attempts, 1, `${name}: declined cards`);
  const response = await get(`/payment-intents/${id}`, token);
  const { status, donation_id } = (await response.json()) as PaymentIntentStatus;
  assert.deepEqual([status, donation_id], ['succeeded', donation!.id], name);
}

test('a crash at any operation neither loses nor doubles a donation', async (t) => {
  for (const delivery of DELIVERIES) {
    for (const retries of [1, 2] as const) {
      for (let requestCrash = 0, isOver = false; !isOver; requestCrash += 1) {
        const path = { requestCrash, eventCrash: Infinity, retries, delivery };
        isOver = !(await donate(path)).requestCrashed;
      }
    }
    for (let eventCrash = 0, isOver = false; !isOver; eventCrash += 1) {
      const path = { requestCrash: Infinity, eventCrash, retries: 1 as const, delivery };
      isOver = !(await donate(path)).eventsCrashed;
    }
  }
  t.diagnostic(`${paths} paths`);
  assert.ok(paths > 100, 'nothing crashes: the crash points do not see the statements');
});
