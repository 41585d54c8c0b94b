import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FormSession, PaymentIntent } from '@connect-embed/contract';
import { solveProof } from '@connect-embed/contract/solve-proof';
import Stripe from 'stripe';
import { openStripe, type TestWorld } from '../world.ts';
import { SITE } from './service-plans.ts';

/** What a donor believes in the end. */
export type DonorOutcome = 'paid' | 'declined' | 'nothing charged' | 'unknown';

/** One gift that somebody meant to give, once. */
export interface AttemptedDonation {
  email: string;
  amountCents: number;
  told: DonorOutcome;
}

export const GOOD_CARD = 'pm_card_visa';
export const DECLINED_CARD = 'pm_card_visa_chargeDeclined';

/** A donor presses Give again and again for so long. */
const TIMEOUT_MS = 90_000;
const PAUSE_MS = 300;
/** A key whose first request never ends is given up: no intent of it was ever confirmed. */
const MAX_CONFLICTS = 8;

/**
 * A donor with a browser, as `packages/elements` behaves: one key for one gift however often it is
 * pressed, sessions renewed, refusals waited for, and an outcome that nobody told looked up.
 */
export class Donor {
  readonly donation: AttemptedDonation;
  readonly #world: TestWorld;
  #key = randomUUID();
  #conflicts = 0;
  readonly #card: string;
  readonly #browser: Stripe;
  #session: string | undefined;
  /** Proof of work for this donation, once the server has asked for one. */
  #proof: string | undefined;
  readonly #address: string;
  #until = 0;

  constructor(world: TestWorld, card = GOOD_CARD) {
    this.#world = world;
    this.#card = card;
    const part = () => world.random.between(1, 254);
    this.#address = `198.18.${part()}.${part()}`; // At home: they share no address.
    this.#browser = openStripe(world.addresses.sandbox, 'pk_test_sandbox');
    const amountCents = world.random.between(100, 90_000);
    this.donation = { email: `${randomUUID()}@faults.example`, amountCents, told: 'unknown' };
  }

  /** Sees the form. */
  async open(): Promise<void> {
    this.#until ||= performance.now() + TIMEOUT_MS;
    const session = await this.#withRetry<FormSession>('/embed-sessions', {});
    this.#session = session?.session_token;
  }

  /** Presses Give until there is an answer. */
  async give(): Promise<AttemptedDonation> {
    this.#until = performance.now() + TIMEOUT_MS;
    if (!this.#session) await this.open();
    const { amountCents: amount_cents, email: donor_email } = this.donation;
    const body = { amount_cents, donor_email, donor_name: 'Ada Lovelace' };
    const intent =
      this.#session && (await this.#withRetry<PaymentIntent>('/payment-intents', body));
    this.donation.told = intent ? await this.#confirm(intent) : 'nothing charged';
    return this.donation;
  }

  async #confirm(intent: PaymentIntent): Promise<DonorOutcome> {
    const { client_secret, payment_intent_id: id, stripe_account_id: stripeAccount } = intent;
    while (performance.now() < this.#until) {
      const found = await this.#browser.paymentIntents
        .retrieve(id, { client_secret }, { stripeAccount })
        .catch(() => undefined);
      if (found?.status === 'succeeded') return 'paid';
      if (
        found?.status === 'requires_payment_method' ||
        found?.status === 'requires_confirmation'
      ) {
        // As a browser does it: the publishable key, and the secret that goes with this intent.
        const params = { client_secret, payment_method: this.#card };
        const paid = await this.#browser.paymentIntents
          .confirm(id, params as Stripe.PaymentIntentConfirmParams, { stripeAccount })
          .catch((error: unknown) => error);
        if (paid instanceof Stripe.errors.StripeCardError) return 'declined';
        if (!(paid instanceof Error)) continue; // Its state is read once more, as told above.
      }
      await sleep(PAUSE_MS);
    }
    return 'unknown';
  }

  /** @returns undefined when the donor's patience ended first */
  async #withRetry<Answer>(path: string, body: object): Promise<Answer | undefined> {
    while (performance.now() < this.#until) {
      const response = await this.#post(path, body);
      if (response?.ok) return (await response.json()) as Answer;
      if (response?.status === 401) this.#session = undefined;
      else if (response?.status === 409) this.#conflict();
      else if (response?.status === 428) await this.#work();
      else if (response && [400, 403, 404].includes(response.status)) {
        throw new Error(`${path}: ${response.status} ${await response.text()}`);
      }
      await sleep((Number(response?.headers.get('retry-after')) || 0) * 1000 || PAUSE_MS);
      if (!this.#session && path !== '/embed-sessions') await this.open();
    }
    return undefined;
  }

  /** Solves what the server asks for, as the form's script does. */
  async #work(): Promise<void> {
    const response = await this.#post('/challenges', {});
    if (!response?.ok) return;
    const { challenge } = (await response.json()) as { challenge: object };
    this.#proof = await solveProof(challenge);
  }

  #conflict() {
    this.#conflicts += 1;
    if (this.#conflicts % MAX_CONFLICTS !== 0) return;
    this.#key = randomUUID();
    this.#proof = undefined; // It is good for one key.
  }

  async #post(path: string, body: object): Promise<Response | undefined> {
    const headers = {
      origin: SITE,
      'content-type': 'application/json',
      'idempotency-key': this.#key,
      'x-forwarded-for': this.#address,
      ...(this.#session && { authorization: `Bearer ${this.#session}` }),
      ...(this.#proof && { proof: this.#proof }),
    };
    const signal = AbortSignal.timeout(15_000);
    const init = { method: 'POST', headers, body: JSON.stringify(body), signal };
    return await fetch(`${this.#world.addresses.server}${path}`, init).catch(() => undefined);
  }
}

/** So many people give at the same moment; one in ten with a card that is declined. */
export function crowd(world: TestWorld, count: number): Donor[] {
  return Array.from({ length: count }, () => {
    return new Donor(world, world.random.next() < 0.1 ? DECLINED_CARD : GOOD_CARD);
  });
}
