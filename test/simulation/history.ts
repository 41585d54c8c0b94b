import { createHash } from 'node:crypto';
import { mock } from 'node:test';
import { addApiKey } from '@connect-embed/api/auth/api-key';
import type { Db } from '@connect-embed/api/db/schema';
import { createColumnEncrypter } from '@connect-embed/api/lib/column-encrypter';
import { newId } from '@connect-embed/api/lib/id';
import { secretOf } from '@connect-embed/api/webhooks/secrets';
import { API_SECRET } from './donation-app.ts';
import { NoResponse } from './api-process.ts';
import { checkEnd } from './check-end.ts';
import { donate, type DonorResult } from './donor.ts';
import { ENDPOINT_SECRET } from './receiver.ts';
import { SimulatedSystem, type SystemOptions } from './simulated-system.ts';
import { Violation } from './violation.ts';

/** Donors of one API key, so that none reaches its rate limit. */
const DONORS_PER_KEY = 5;
/** Operations after which the payment intents at the processor are checked. */
const CREATES_INTENTS = /: create a payment intent$/;
/** Statements after which the recorded donations are checked. */
const CHANGES_DONATIONS = /: commit$/;
/** No history needs as many operations, unless it never ends. */
const MAX_STEPS_PER_DONOR = 5000;
/** The error of `pg` if all connections of a process are in use for too long. */
const NO_CONNECTION = 'timeout exceeded when trying to connect';
/** The clock advances by at most this while an operation could happen. */
const MAX_DELAY_MS = 15_000;

export interface HistoryOptions extends SystemOptions {
  donors: number;
  /** The query builder outside of the simulation. */
  db: Db;
}

export interface HistoryResult {
  /** Donations that were paid and recorded. */
  donations: number;
  operations: number;
  crashes: number;
  /** Hash of all operations in their order. */
  traceHash: string;
}

/** A history that violated a property, with its last operations. */
export class HistoryFailure extends Error {
  readonly trace: readonly string[];

  constructor(message: string, trace: readonly string[], cause: unknown) {
    super(message, { cause });
    this.trace = trace;
  }
}

/**
 * Runs one history: donors give at the same time, with faults, then everything comes to its end without
 * faults. Checks after each operation that no donor is charged twice and no donation is recorded wrongly, and at the
 * end that none is missing.
 *
 * @throws {HistoryFailure} if a property does not hold
 */
export async function runHistory(options: HistoryOptions): Promise<HistoryResult> {
  await options.clock.startHistory();
  const system = new SimulatedSystem(options);
  // Constant, because libraries draw from it at any time.
  const replacedRandom = mock.method(Math, 'random', () => 0.5);
  try {
    const tokens = await createOrganization(options, system);
    const results = await runToTheEnd(system, options.donors, tokens);
    const donations = await checkEnd(options.db, system, results);
    const { trace } = system.scheduler;
    const traceHash = createHash('sha256').update(trace.join('\n')).digest('hex').slice(0, 16);
    return { donations, operations: trace.length, crashes: system.crashes, traceHash };
  } catch (error) {
    throw new HistoryFailure((error as Error).message, system.scheduler.trace, error);
  } finally {
    replacedRandom.mock.restore();
    await system.stop();
  }
}

/** Creates the organization of a history, with its webhook endpoint. @returns the tokens of its API keys */
async function createOrganization(
  { db, donors, seed }: HistoryOptions,
  { organizationId }: SimulatedSystem,
): Promise<string[]> {
  await db
    .insertInto('organization')
    .values({
      id: organizationId,
      name: organizationId,
      slug: `simulated-${seed}`,
      currency: 'usd',
      processor_account_id: `acct_${seed}`,
    })
    .execute();
  await db
    .insertInto('webhook_endpoint')
    .values({
      id: newId('we'),
      organization_id: organizationId,
      credential_id: null,
      url: 'https://receiver.example.org',
      events: ['donation.created'],
      encrypted_secret: await createColumnEncrypter(API_SECRET, 'webhook secret').encrypt(
        ENDPOINT_SECRET,
        secretOf(organizationId),
      ),
    })
    .execute();
  const tokens: string[] = [];
  for (let count = 0; count < donors; count += DONORS_PER_KEY) {
    const token = `gb_live_${organizationId}_${count}`.padEnd(51, 'k');
    const key = { organizationId, name: 'simulation', scopes: ['payments:write'] as const };
    await addApiKey(db, key, token);
    tokens.push(token);
  }
  return tokens;
}

/** Runs donors and background jobs until nothing is left to do. */
async function runToTheEnd(
  system: SimulatedSystem,
  donorCount: number,
  tokens: readonly string[],
): Promise<DonorResult[]> {
  const { clock, random, faults, ledger } = system;
  let areDonorsDone = false;
  const donors = Promise.all(
    Array.from({ length: donorCount }, (_, index) =>
      donate({
        system,
        name: `donor-${index + 1}`,
        amountCents: 1000 + random.below(100_000),
        token: tokens[Math.floor(index / DONORS_PER_KEY)]!,
      }),
    ),
  );
  const events = async () => {
    for (let index = 0; !areDonorsDone;) {
      await clock.sleep(1000);
      const added = ledger.events.slice(index);
      index += added.length;
      for (const event of added) {
        if (!faults.happens('lostEvent')) system.background(system.deliverProcessorEvent(event));
      }
    }
  };
  const deliveries = async () => {
    while (!areDonorsDone) {
      await clock.sleep(20_000 + random.below(40_000));
      await repeatLater(system.anyProcess().deliverEvents());
    }
  };
  const reconciliation = async () => {
    while (!areDonorsDone) {
      await clock.sleep(20_000 + random.below(20_000));
      await repeatLater(system.anyProcess().reconcile(system.organizationId));
    }
  };
  const totals = async () => {
    while (!areDonorsDone) {
      await clock.sleep(random.below(10_000));
      await repeatLater(system.anyProcess().storeTotals());
    }
  };
  // Two rounds of deliveries may run at the same time, as in two processes.
  for (const job of [events, deliveries, deliveries, reconciliation, totals]) {
    system.background(job());
  }
  const done = donors.then((results) => {
    areDonorsDone = true;
    return results;
  });
  await drive(system, done, donorCount * MAX_STEPS_PER_DONOR);
  faults.stop();
  clock.setError(0);
  await drive(system, settleEverything(system), donorCount * MAX_STEPS_PER_DONOR);
  return await done;
}

/** Lets the background jobs end, and repeats what they do until nothing is left. */
async function settleEverything(system: SimulatedSystem): Promise<void> {
  await system.backgroundJobs();
  const failure = await system.anyProcess().reconcile(system.organizationId);
  if (failure) throw failure as Error;
  for (;;) {
    const waitMs = await system.untilDeliveriesAreDue();
    if (waitMs === undefined) break;
    await system.clock.sleep(Math.max(1000, waitMs));
    await system.anyProcess().deliverEvents();
  }
  await system.anyProcess().storeTotals();
}

/** Chooses operations, faults and the time until the work is done. */
async function drive(
  system: SimulatedSystem,
  work: Promise<unknown>,
  maxSteps: number,
): Promise<void> {
  const { scheduler, clock } = system;
  let outcome: { error?: unknown } | undefined;
  work.then(
    () => (outcome = {}),
    (error: unknown) => (outcome = { error }),
  );
  let name: string | undefined;
  for (let steps = 0; ; steps += 1) {
    await scheduler.settle();
    if (name && CREATES_INTENTS.test(name)) system.checkIntents();
    if (name && CHANGES_DONATIONS.test(name)) await system.checkDonations();
    if (system.failure) throw system.failure;
    if (outcome && 'error' in outcome) throw outcome.error;
    if (outcome) return;
    if (steps > maxSteps) throw new Violation('The history does not end.');
    name = undefined;
    if (await injectFault(system)) continue;
    name = scheduler.start();
    if (name === undefined && !clock.advanceToNextSleeper()) {
      throw new Violation('Nothing happens any more, and something is not done.');
    }
  }
}

/** Lets a process crash, changes a clock or lets time pass. @returns false if it does nothing */
async function injectFault(system: SimulatedSystem): Promise<boolean> {
  const { faults, clock, random } = system;
  if (faults.happens('crash')) await system.crash();
  else if (faults.happens('clockChange')) system.changeClock();
  else if (faults.happens('delay')) clock.advance(random.below(MAX_DELAY_MS));
  else return false;
  return true;
}

/** A background job that fails is repeated at its next time, as in a real process. */
async function repeatLater(work: Promise<unknown>): Promise<void> {
  await work.catch((error: Error) => {
    if (!(error instanceof NoResponse || error.message === NO_CONNECTION)) throw error;
  });
}
