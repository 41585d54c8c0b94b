import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRandom } from '@connect-embed/api/db/seed/random';
import type { PaymentIntent } from '@connect-embed/contract';
import type Stripe from 'stripe';
import type { AttemptedDonation } from '../faults/support/donor.ts';
import { createCaller } from '../support/api-request.ts';
import { openBrowserStripe } from '../support/processor.ts';

/** Longer than a failover. */
const TIMEOUT_MS = 90_000;
const REQUEST_TIMEOUT_MS = 30_000;
const PAUSE_MS = 500;

/** A donation, and how long the donor waited for the result. */
interface TimedDonation extends AttemptedDonation {
  waitedMs: number;
}

interface DonorContext {
  apiBase: string;
  /** An API key, as the server of the form has. */
  token: string;
  /** Stripe client with the publishable key, as a browser has. */
  browser: Stripe;
}

/** Donors who donate one after the other with each of the keys. */
export class Donors {
  readonly finished: TimedDonation[] = [];
  /** Resolves when half of the donors have their result. */
  readonly half: Promise<void>;
  readonly all: Promise<TimedDonation[]>;
  #remaining: number;
  readonly #random = createRandom(1);
  readonly #apiBase: string;
  readonly #browser: Stripe;

  constructor(options: {
    donations: number;
    apiBase: string;
    sandboxUrl: string;
    keys: readonly string[];
  }) {
    this.#remaining = options.donations;
    this.#apiBase = options.apiBase;
    this.#browser = openBrowserStripe(options.sandboxUrl);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.half = promise;
    const onFinished = () => {
      if (this.finished.length >= options.donations / 2) resolve();
    };
    this.all = Promise.all(options.keys.map((key) => this.#donateInTurn(key, onFinished))).then(
      () => this.finished,
    );
    this.all.catch(reject);
  }

  async #donateInTurn(token: string, onFinished: () => void): Promise<void> {
    while (this.#remaining > 0) {
      this.#remaining -= 1;
      const context = { apiBase: this.#apiBase, token, browser: this.#browser };
      this.finished.push(await donate(context, this.#random.integer(100, 90_000)));
      onFinished();
    }
  }
}

/**
 * Makes a donation as the server of the form and the donor's browser do, with one idempotency key
 * for all attempts.
 */
async function donate(context: DonorContext, amountCents: number): Promise<TimedDonation> {
  const started = performance.now();
  const email = `${randomUUID()}@failover.example`;
  const body = { amount_cents: amountCents, donor_email: email, donor_name: 'Ada Lovelace' };
  const intent = await createIntent(context, body);
  const outcome = intent ? await pay(context.browser, intent) : 'nothing charged';
  return { email, amountCents, outcome, waitedMs: performance.now() - started };
}

/**
 * @returns undefined if the API gave no intent in time
 */
async function createIntent({ apiBase, token }: DonorContext, body: object) {
  const call = createCaller(apiBase);
  const headers = { 'Idempotency-Key': randomUUID() };
  const end = performance.now() + TIMEOUT_MS;
  while (performance.now() < end) {
    const request = call({ path: '/payment-intents', body, token, headers });
    const response = await Promise.race([
      request.catch(() => undefined),
      sleep(REQUEST_TIMEOUT_MS, undefined, { ref: false }),
    ]);
    if (response?.ok) return (await response.json()) as PaymentIntent;
    if (response && [400, 401, 403, 404].includes(response.status))
      throw new Error(`POST /payment-intents: ${response.status} ${await response.text()}`);
    await response?.body?.cancel();
    await sleep((Number(response?.headers.get('retry-after')) || 0) * 1000 || PAUSE_MS);
  }
  return undefined;
}

/** Confirms the intent with a card. The processor does not fail in this test. */
async function pay(browser: Stripe, intent: PaymentIntent): Promise<AttemptedDonation['outcome']> {
  const { payment_intent_id: id, client_secret, stripe_account_id } = intent;
  const params = { client_secret, payment_method: 'pm_card_visa' };
  const { status } = await browser.paymentIntents.confirm(
    id,
    params as Stripe.PaymentIntentConfirmParams,
    { stripeAccount: stripe_account_id! },
  );
  return status === 'succeeded' ? 'paid' : 'unknown';
}
