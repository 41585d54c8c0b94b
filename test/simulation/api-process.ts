import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import pino from 'pino';
import { storeTotals } from '@connect-embed/api/db/donation-totals';
import { createDeps } from '@connect-embed/api/process/deps';
import type { Database } from '@connect-embed/api/db/schema';
import { toConnectError } from '@connect-embed/api/payments/stripe/errors';
import { reconcile } from '@connect-embed/api/payments/reconcile/reconcile';
import { deliveryQueue } from '@connect-embed/api/webhooks/delivery-worker';
import type { Send } from '@connect-embed/api/webhooks/send';
import { createDonationApp, DONATION_CONFIG } from './donation-app.ts';
import type { ProcessorLedger } from './processor-ledger.ts';
import type { Faults } from './faults.ts';
import { ProcessPool } from './process-pool.ts';
import type { Scheduler } from './scheduler.ts';
import type { SimulatedClock } from './simulated-clock.ts';

/** The caller of a process that has crashed gets no response. */
export class NoResponse extends Error {}

interface ApiProcessOptions {
  name: string;
  pool: pg.Pool;
  control: pg.Client;
  clock: SimulatedClock;
  scheduler: Scheduler;
  ledger: ProcessorLedger;
  faults: Faults;
  rewriteSql: (text: string) => string;
  /** The webhook endpoint of the organization. */
  receive: Send;
}

/** A process of the API, with its routes of donations, its webhook deliveries and its reconciliation. */
export class ApiProcess {
  readonly name: string;
  readonly #pool: ProcessPool;
  readonly #app: ReturnType<typeof createDonationApp>;
  readonly #deps: ReturnType<typeof createDeps>;
  readonly #deliveries: ReturnType<typeof deliveryQueue>;
  readonly #crashed = Promise.withResolvers<never>();

  constructor(options: ApiProcessOptions) {
    const { name, scheduler, ledger, faults, receive } = options;
    this.name = name;
    this.#pool = new ProcessPool({ ...options, processName: name });
    this.#crashed.promise.catch(() => {}); // It may be that nobody waits for a response.
    const { pool } = this.#pool;
    const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
    const log = pino({ level: 'silent' });
    this.#deps = createDeps(DONATION_CONFIG, { db, pool, close: async () => {} }, log);
    ledger.install(this.#deps.processor, (call, description) =>
      scheduler.operation({
        name: `${name} calls the processor: ${description}`,
        execute: () => faults.call(call, noResponseError),
        owner: this.#pool,
      }),
    );
    this.#app = createDonationApp(this.#deps);
    const send: Send = (request) =>
      scheduler.operation({
        name: `${name} sends a webhook event`,
        execute: () => receive(request),
        owner: this.#pool,
      });
    const { secretEncrypter } = this.#deps.webhooks;
    this.#deliveries = deliveryQueue({ db, secretEncrypter, send, log });
  }

  /** Handles a request. @throws {NoResponse} if the process crashes meanwhile */
  fetch = async (path: string, init: RequestInit): Promise<{ status: number; body: unknown }> =>
    await this.#run(async () => {
      const response = await this.#app.request(path, init);
      const text = await response.text();
      return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
    });

  /** Claims due webhook deliveries, and makes an attempt of each. @returns how many there were */
  deliverEvents = async (): Promise<number> =>
    await this.#run(async () => {
      const { lanes, attempt } = this.#deliveries;
      let count = 0;
      for (const { claim, slots } of lanes) {
        const claims = await claim(slots);
        count += claims.length;
        const signal = new AbortController().signal;
        await Promise.all(claims.map((each) => attempt(each, signal)));
      }
      return count;
    });

  /** Processes the events that the processor could not deliver. @returns the error, if it failed */
  reconcile = async (organizationId: string): Promise<unknown> =>
    await this.#run(async () => {
      let failure: unknown;
      await reconcile(
        this.#deps,
        {
          organizationId,
          compareOptionsFor: () => undefined,
          onFailure: (_, error) => (failure = error),
        },
        { onDifference: () => {}, onChecked: () => {} },
      );
      return failure;
    });

  /** Adds the last donations to the totals. */
  storeTotals = async (): Promise<void> =>
    await this.#run(async () => await storeTotals(this.#deps.db));

  /** Abandons everything that the process does. Its open transactions are rolled back. */
  async crash(): Promise<void> {
    await this.#pool.crash();
    this.#crashed.reject(new NoResponse(`${this.name} crashed`));
  }

  #run = async <Result>(work: () => Promise<Result>): Promise<Result> =>
    await Promise.race([work(), this.#crashed.promise]);
}

/** The error that the client for Stripe throws without a response. */
const noResponseError = () => toConnectError(new Error('The connection was lost.'));
