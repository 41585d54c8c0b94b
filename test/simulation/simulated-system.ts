import Stripe from 'stripe';
import type pg from 'pg';
import { WEBHOOK_SECRET } from './donation-app.ts';
import { ProcessorLedger } from './processor-ledger.ts';
import { ApiProcess, NoResponse } from './api-process.ts';
import type { Defect } from './defects.ts';
import { Faults } from './faults.ts';
import type { SimulatedClock } from './simulated-clock.ts';
import { Receiver } from './receiver.ts';
import { Scheduler } from './scheduler.ts';
import { SeededRandom } from './seeded-random.ts';
import { Violation } from './violation.ts';

/** Maximum delay of an event's first delivery. It doubles after each delivery, as at Stripe. */
const EVENT_DELAY_MS = 4000;
const MAX_EVENT_DELAY_MS = 64_000;

/** The clock of the API differs from that of the processor by at most this. */
const MAX_CLOCK_ERROR_MS = 10 * 60_000;

export interface SystemOptions {
  seed: number;
  clock: SimulatedClock;
  control: pg.Client;
  /** The real connections of each process. */
  pools: readonly pg.Pool[];
  /** A defect that is planted. */
  defect: Defect | undefined;
}

interface RecordedDonation {
  id: string;
  intentId: string;
  amountCents: number;
}

/** Everything that one history consists of, apart from the donors. */
export class SimulatedSystem {
  readonly random: SeededRandom;
  readonly faults: Faults;
  readonly scheduler: Scheduler;
  readonly clock: SimulatedClock;
  readonly ledger: ProcessorLedger;
  readonly receiver: Receiver;
  readonly organizationId: string;
  readonly #options: SystemOptions;
  #processes: ApiProcess[];
  #jobs: Promise<void>[] = [];
  crashes = 0;
  /** The first error of a background job. */
  failure: Error | undefined;

  constructor(options: SystemOptions) {
    const { seed, clock } = options;
    this.#options = options;
    this.clock = clock;
    this.random = new SeededRandom(seed);
    this.scheduler = new Scheduler(this.random);
    this.faults = new Faults(this.random);
    this.ledger = new ProcessorLedger({
      idPrefix: `${seed}_`,
      now: () => clock.nowMs,
      keepsIdempotencyKeys: !options.defect?.changesProcessorKeys,
    });
    this.receiver = new Receiver(this.faults);
    this.organizationId = `org_${seed}`;
    this.#processes = options.pools.map((_, index) => this.#startProcess(index));
  }

  anyProcess = (): ApiProcess => this.#processes[this.random.below(this.#processes.length)]!;

  /** Starts a background job, whose error ends the history. */
  background(job: Promise<void>): void {
    this.#jobs.push(job.catch((error: unknown) => void (this.failure ??= error as Error)));
  }

  /** Waits until all background jobs have ended, also those that they start. */
  async backgroundJobs(): Promise<void> {
    for (let count = 0; count < this.#jobs.length;) {
      count = this.#jobs.length;
      await Promise.all(this.#jobs);
    }
  }

  fail(message: string): never {
    throw new Violation(message);
  }

  /** An operation that belongs to no process. */
  step = <Result>(name: string, execute: () => Promise<Result>): Promise<Result> =>
    this.scheduler.operation({ name, execute });

  /** Something that happens at the processor, without the API. */
  atProcessor = (name: string, change: () => void): Promise<void> =>
    this.step(name, async () => change());

  /** Crashes one of the processes, and starts it again. */
  async crash(): Promise<void> {
    const index = this.random.below(this.#processes.length);
    this.crashes += 1;
    const process = this.#processes[index]!;
    this.scheduler.trace.push(`${process.name} crashes`);
    await process.crash();
    this.#processes[index] = this.#startProcess(index);
  }

  /** Sets the clock of the API's processes to another time than that of the processor and the database. */
  changeClock(): void {
    const errorMs = this.random.below(2 * MAX_CLOCK_ERROR_MS) - MAX_CLOCK_ERROR_MS;
    this.scheduler.trace.push(`the clock of the API changes by ${errorMs} ms`);
    this.clock.setError(errorMs);
  }

  /**
   * Delivers an event of the processor until a process acknowledges it.
   *
   * @param event as the ledger contains it
   */
  async deliverProcessorEvent(event: object & { id: string }): Promise<void> {
    const body = JSON.stringify(event);
    for (let delayMs = EVENT_DELAY_MS; ; delayMs = Math.min(2 * delayMs, MAX_EVENT_DELAY_MS)) {
      await this.clock.sleep(this.random.below(delayMs));
      const isAcknowledged = await this.step(`event ${event.id} arrives`, async () => {})
        .then(() => this.anyProcess().fetch('/processor-events', signed(body, this.clock.nowMs)))
        .then(({ status }) => status === 200 && !this.faults.happens('lostResponse'))
        .catch((error: unknown) => {
          if (error instanceof NoResponse) return false;
          throw error;
        });
      if (isAcknowledged && !this.faults.happens('duplicateEvent')) return;
    }
  }

  /** @throws {Violation} if the processor has two payment intents of one donor */
  checkIntents(): void {
    const intents = [...this.ledger.intents.values()];
    const donors = new Set(intents.map(({ metadata }) => metadata['donor_email']));
    if (intents.length > donors.size) this.fail('a donor has two payment intents');
  }

  /** The donations in the database. @throws {Violation} if one is not exactly as it was paid */
  async checkDonations(): Promise<RecordedDonation[]> {
    const rows = await this.#select<RecordedDonation>(
      'donations',
      `select id, processor_payment_intent_id as "intentId", amount_cents::int as "amountCents"
        from donation where organization_id = $1`,
    );
    const seen = new Set<string>();
    for (const { id, intentId, amountCents } of rows) {
      const intent = this.ledger.intents.get(intentId);
      if (intent?.status !== 'succeeded') this.fail(`${id} was recorded and not paid`);
      if (intent.amountCents !== amountCents) {
        this.fail(`${id} has ${amountCents} cents, and ${intent.amountCents} were paid`);
      }
      if (seen.has(intentId)) this.fail(`${intentId} was recorded twice`);
      seen.add(intentId);
    }
    return rows;
  }

  /** Checks a success that is shown to a donor. */
  async checkShown(name: string, intentId: string, donationId: string | null): Promise<void> {
    const donations = await this.checkDonations();
    const isRecorded = donations.some(
      (donation) => donation.id === donationId && donation.intentId === intentId,
    );
    if (!isRecorded) this.fail(`${name} is shown a success that is not recorded`);
  }

  /** Milliseconds until all pending webhook deliveries are due; undefined if none is pending. */
  async untilDeliveriesAreDue(): Promise<number | undefined> {
    const rows = await this.#select<{ wait: number | null }>(
      'pending deliveries',
      `select extract(epoch from
          max(greatest(next_attempt_at, leased_until)) - clock_timestamp())::float8 * 1000 as wait
        from webhook_delivery d join webhook_endpoint e on e.id = d.endpoint_id
        where status = 'pending' and e.organization_id = $1`,
    );
    return rows[0]?.wait ?? undefined;
  }

  /** Ends all processes. */
  async stop(): Promise<void> {
    for (const process of this.#processes) await process.crash();
  }

  /** Reads rows of the organization outside of the simulation. */
  async #select<Row extends pg.QueryResultRow>(name: string, text: string): Promise<Row[]> {
    const { control } = this.#options;
    await this.scheduler.track(this.clock.setDatabaseClock());
    const statement = { name, text, values: [this.organizationId] };
    return (await this.scheduler.track(control.query<Row>(statement))).rows;
  }

  #startProcess = (index: number): ApiProcess => {
    const { pools, control, defect } = this.#options;
    const { clock, scheduler, ledger, faults, receiver } = this;
    return new ApiProcess({
      name: `process ${index + 1}`,
      pool: pools[index]!,
      control,
      clock,
      scheduler,
      ledger,
      faults,
      rewriteSql: defect?.rewriteSql ?? ((text) => text),
      receive: receiver.receive,
    });
  };
}

const stripe = new Stripe('sk_test_simulation', { telemetry: false });

/** A request with a signed event of the processor. */
function signed(payload: string, nowMs: number): RequestInit {
  const timestamp = Math.floor(nowMs / 1000);
  const signature = stripe.webhooks.generateTestHeaderString({
    payload,
    secret: WEBHOOK_SECRET,
    timestamp,
  });
  return { method: 'POST', headers: { 'stripe-signature': signature }, body: payload };
}
