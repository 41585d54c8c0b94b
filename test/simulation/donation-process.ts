import type { ErrorEnvelope, PaymentIntent } from '@connect-embed/contract';
import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import pino from 'pino';
import type { Database } from '@connect-embed/api/db/schema';
import { reconcile } from '@connect-embed/api/payments/reconcile/reconcile';
import { prepareEvent } from '@connect-embed/api/payments/stripe-events/handlers';
import { createDeps } from '@connect-embed/api/process/deps';
import { createDonationApp, DONATION_CONFIG } from './donation-app.ts';
import type { ProcessorLedger } from './processor-ledger.ts';
import { SteppedProcess } from './stepped-process.ts';

/** The response to a request for a payment intent. */
export interface IntentResponse {
  status: number;
  text: string;
  /** Set if the status is 201. */
  intent?: PaymentIntent;
  /** Set if the status is not 201. */
  code?: string;
  headers: Headers;
}

export interface IntentRequestOptions {
  token: string;
  key: string;
  amount_cents: number;
}

/** A simulated process of the API that creates payment intents and handles the processor's events. */
export class DonationProcess extends SteppedProcess {
  readonly #deps: ReturnType<typeof createDeps>;
  readonly #app: ReturnType<typeof createDonationApp>;

  constructor(pool: pg.Pool, ledger: ProcessorLedger) {
    super(pool);
    const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool: this.pool }) });
    const database = { db, pool: this.pool, close: async () => {} };
    this.#deps = createDeps(DONATION_CONFIG, database, pino({ level: 'silent' }));
    ledger.install(this.#deps.processor, this.operation);
    this.#app = createDonationApp(this.#deps);
  }

  /** Requests a payment intent. */
  createIntent = async (options: IntentRequestOptions): Promise<IntentResponse> => {
    const { token, key, amount_cents } = options;
    const { status, headers, ...response } = await this.#request(token, key, amount_cents);
    const body = JSON.parse(response.text) as PaymentIntent & ErrorEnvelope;
    const outcome = status === 201 ? { intent: body } : { code: body.error.code };
    return { ...response, ...outcome, status, headers };
  };

  async #request(token: string, key: string, amount_cents: number) {
    const response = await this.#app.request('/api/v1/payment-intents', {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body: JSON.stringify({ amount_cents, donor_email: 'ana@example.org' }),
    });
    return { status: response.status, text: await response.text(), headers: response.headers };
  }

  /** Handles events of a Stripe account, one after the other. */
  handleEvents = async (events: ProcessorLedger['events'], account: string): Promise<true> => {
    for (const event of events) await prepareEvent({ ...event, account })(this.#deps);
    return true;
  };

  /** Fetches the events that were not delivered, and handles them. */
  reconcile = async (organizationId: string): Promise<true> => {
    const options = {
      organizationId,
      compareOptionsFor: () => undefined,
      onFailure: (_: string, error: unknown) => {
        throw error;
      },
    };
    await reconcile(this.#deps, options, { onDifference: () => {}, onChecked: () => {} });
    return true;
  };
}
