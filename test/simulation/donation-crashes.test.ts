import assert from 'node:assert/strict';
import { after, mock, test } from 'node:test';
import type { PaymentIntentStatus } from '@connect-embed/contract';
import { DonationPath, type DonationSystem, type RequestPath } from './donation-path.ts';
import { DonationProcess } from './donation-process.ts';
import { ProcessorLedger } from './processor-ledger.ts';
import { startApi } from '@connect-embed/api/test-support/app/start-api';
import { DEMO_ORGANIZATION_ID } from '@connect-embed/api/db/seed';

/** What follows a declined card. A debit is confirmed at once, and its money arrives late or never. */
const PAYMENTS = ['card', 'debit', 'returned debit'] as const;
type Payment = (typeof PAYMENTS)[number];

/** How the events of a declined card and of the payment after it arrive. */
const DELIVERIES = ['in order', 'reversed', 'only by reconciliation'] as const;
type Delivery = (typeof DELIVERIES)[number];

// The timer that renews the lock of an idempotency key does not run in a process that has crashed or stands still.
mock.timers.enable({ apis: ['setInterval'] });
after(() => mock.timers.reset()); // The next test file runs in the same process.
const { db, pool, get, createKey } = await startApi();
const { id: credentialId, token } = await createKey(['payments:write']);
const { processor_account_id: account } = await db
  .selectFrom('organization')
  .select('processor_account_id')
  .where('id', '=', DEMO_ORGANIZATION_ID)
  .executeTakeFirstOrThrow();
const ledger = new ProcessorLedger();
const startProcess = () => new DonationProcess(pool, ledger);
const system: DonationSystem = {
  ...{ db, ledger, credentialId, token },
  processes: { first: startProcess(), second: startProcess() },
  otherProcess: startProcess(),
};

const counts = { paths: 0, locked: 0, resumed: 0, eventPaths: 0, onItsWay: 0 };
/** The states that were reached while requests run. */
const states = new Set<string>();
/** The states in which the payment can be made, with the path to each. */
const payable = new Map<string, RequestPath>();

/**
 * Explores all orders of the operations of two requests with the same key, after an earlier request that may have
 * crashed. What can follow a state depends on the state alone, so it is explored once.
 *
 * @returns whether the earlier request has crashed
 */
async function explore(path: RequestPath): Promise<boolean> {
  const donation = new DonationPath(system, path);
  counts.paths += 1;
  await donation.follow();
  const state = await donation.describeState();
  if (states.has(state)) {
    await donation.abandon();
    return donation.hasCrashed;
  }
  states.add(state);
  const next = await donation.nextSteps();
  await finish(donation, path);
  for (const step of next) await explore({ ...path, steps: [...path.steps, step] });
  return donation.hasCrashed;
}

/**
 * Completes a donation from any state: the donor's browser gets a response and the payment is made, while the two
 * requests stand still. If they never continue, they have crashed; afterwards they continue late.
 */
async function finish(donation: DonationPath, path: RequestPath): Promise<void> {
  const { wasLocked } = await donation.requestUntilResponse();
  if (wasLocked) counts.locked += 1;
  const stored = await donation.describeStored();
  if (!payable.has(stored)) payable.set(stored, path);
  const handle = payWith(donation, 'in order', 'card');
  await system.otherProcess.run(handle);
  await assertRecordedOnce(donation.name, donation);
  counts.resumed += await donation.resume();
  await system.otherProcess.run(handle); // Duplicates.
  await assertRecordedOnce(`${donation.name}, late requests and duplicate events`, donation);
  await donation.checkRepeated();
}

/**
 * Pays a donation whose first card is declined. The bank answers a debit after its first event was handled, or before
 * any was if they arrive reversed.
 *
 * @returns the handling of all events
 */
function payWith(
  donation: DonationPath,
  delivery: Delivery,
  payment: Payment,
): () => Promise<true> {
  const { otherProcess } = system;
  const { payment_intent_id: id } = donation.intent;
  const settle = () => (payment === 'returned debit' ? ledger.returnDebit(id) : ledger.pay(id));
  const handle = () => {
    if (delivery === 'only by reconciliation') return otherProcess.reconcile(DEMO_ORGANIZATION_ID);
    const events = ledger.events.slice(donation.firstEvent);
    if (delivery === 'reversed') events.reverse();
    return otherProcess.handleEvents(events, account!);
  };
  ledger.decline(id);
  if (payment !== 'card') ledger.debit(id);
  if (payment === 'card' || delivery === 'reversed') settle();
  return async () => {
    if (ledger.intents.get(id)!.status === 'processing') {
      await handle();
      settle();
    }
    return await handle();
  };
}

/**
 * Handles the events of a donation with a crash, and again, as the processor delivers again what was not acknowledged.
 * The request is repeated after the crash and after the events.
 *
 * @returns whether the handling has crashed
 */
async function crashAtEvents(
  donation: DonationPath,
  delivery: Delivery,
  payment: Payment,
  eventCrash: number,
): Promise<boolean> {
  const { otherProcess } = system;
  const name = `${donation.name}, ${payment}, events ${delivery} with a crash after ${eventCrash}`;
  const handle = payWith(donation, delivery, payment);
  const handled = await otherProcess.run(handle, eventCrash);
  await donation.checkRepeated();
  await otherProcess.run(handle);
  await assertRecordedOnce(name, donation);
  const duplicates = ledger.events.slice(donation.firstEvent);
  await otherProcess.run(() => otherProcess.handleEvents(duplicates, account!));
  await assertRecordedOnce(`${name}, duplicate events`, donation);
  await donation.checkRepeated();
  await donation.checkOtherBody();
  return handled === undefined;
}

async function assertRecordedOnce(
  name: string,
  { amount_cents, intent }: DonationPath,
): Promise<void> {
  const { payment_intent_id: id, reference } = intent;
  const donations = await db
    .selectFrom('donation')
    .selectAll()
    .where('processor_payment_intent_id', '=', id)
    .execute();
  const [donation] = donations;
  const expectedStatus = ledger.intents.get(id)!.status;
  const isPaid = expectedStatus === 'succeeded';
  assert.equal(donations.length, isPaid ? 1 : 0, `${name}: donations`);
  if (donation) {
    assert.deepEqual([donation.amount_cents, donation.reference], [amount_cents, reference], name);
    const { count } = await db
      .selectFrom('webhook_event')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('body', 'like', `%${donation.id}%`)
      .executeTakeFirstOrThrow();
    assert.equal(Number(count), 1, `${name}: webhook events`);
  }
  const mails = await db
    .selectFrom('mail')
    .select('kind')
    .where((eb) => eb.or({ payment_intent_id: id, donation_id: donation?.id ?? '' }))
    .execute();
  const kinds = mails.map(({ kind }) => kind);
  const others = kinds.filter((kind) => kind !== 'donation_processing');
  assert.deepEqual(others, [isPaid ? 'receipt' : 'donation_returned'], `${name}: emails`);
  assert.ok(kinds.length - others.length <= 1, `${name}: emails that it is on its way`);
  counts.onItsWay += kinds.length - others.length;
  const { failed_attempts } = await db
    .selectFrom('payment_intent')
    .select('failed_attempts')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  assert.equal(failed_attempts, 1, `${name}: declined cards`);
  const response = await get(`/payment-intents/${id}`, token);
  const { status, donation_id } = (await response.json()) as PaymentIntentStatus;
  assert.deepEqual([status, donation_id], [expectedStatus, donation?.id ?? null], name);
}

/** Explores the requests after an earlier one that has crashed after each of its operations, and without one. */
async function exploreRequests(): Promise<void> {
  await explore({ crashedAfter: undefined, steps: [] });
  for (let crashedAfter = 0, isOver = false; !isOver; crashedAfter += 1) {
    isOver = !(await explore({ crashedAfter, steps: [] }));
  }
}

/** Explores the events after the requests of a path: all deliveries, with a crash after each operation. */
async function exploreEvents(path: RequestPath, payment: Payment): Promise<void> {
  for (const delivery of DELIVERIES) {
    for (let eventCrash = 0, isOver = false; !isOver; eventCrash += 1) {
      counts.eventPaths += 1;
      const donation = new DonationPath(system, path);
      await donation.follow();
      await donation.requestUntilResponse();
      isOver = !(await crashAtEvents(donation, delivery, payment, eventCrash));
      await donation.abandon();
    }
  }
}

// Explored are the product of
// - an earlier request with the same key: none, crashed after any operation, or with a lost response;
// - two simultaneous requests: all orders of their operations, each stopped after any of them, for ever or until
//   the donation is recorded;
// - the lock of the key: each request comes while it is held, and after it has expired at any time;
// - a repetition before the events, after their crash and after all of them, and one with another body;
// - the payment: a card, a bank debit whose money arrives late, or one that is returned;
// - the events: in order, reversed or only by reconciliation, with a crash after any of their operations.
//
// States are remembered. Two paths with the same rows, the same ledger of the processor and the same positions of their
// requests go on equally, so only the first is continued. Nothing of the requests but these rows and the ledger is left
// when the payment is made, so the events are explored once for each distinct state before the payment. A response that
// was lost needs no events of its own: it leaves the state of a response that has arrived. No payment comes before a
// response, because only the response contains the client secret.
test('no order of requests, crashes and events loses or doubles a donation', async (t) => {
  // The database waits at its end for connections of requests that stand still after a failure.
  t.after(async () => {
    for (const each of [...Object.values(system.processes), system.otherProcess]) {
      await each.crash();
    }
  });
  await exploreRequests();
  for (const payment of PAYMENTS) {
    for (const path of payable.values()) await exploreEvents(path, payment);
  }
  t.diagnostic(
    `requests: ${counts.paths} paths, ${states.size} states, ${counts.locked} with a locked key, ${counts.resumed} late requests`,
  );
  t.diagnostic(`events: ${counts.eventPaths} paths from ${payable.size} states`);
  assert.ok(
    counts.paths > 400 && states.size > 200,
    'the steps do not see the operations of requests',
  );
  assert.ok(counts.locked > 80 && counts.resumed > 150, 'no request stops while it holds the lock');
  assert.ok(counts.eventPaths > 150, 'no crash stops the handling of events');
  assert.ok(counts.onItsWay > 100, 'no donor is told that a debit is on its way');
});
