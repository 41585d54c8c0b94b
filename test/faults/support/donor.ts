import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '@connect-embed/api/db/seed/random';
import type { FormSession, PaymentIntent } from '@connect-embed/contract';
import { solveProof } from '@connect-embed/contract/solve-proof';
import Stripe from 'stripe';
import { openBrowserStripe } from '../../support/processor.ts';
import type { SystemUnderTest } from '../system-under-test.ts';
import { SITE } from './service-plans.ts';

/** The result that the form shows in the end. */
type DonorOutcome = 'paid' | 'on its way' | 'declined' | 'nothing charged' | 'unknown';

/** One intended donation. */
export interface AttemptedDonation {
  email: string;
  amountCents: number;
  outcome: DonorOutcome;
}

const GOOD_CARD = 'pm_card_visa';
const DECLINED_CARD = 'pm_card_visa_chargeDeclined';
/** SEPA debits that the bank decides three minutes later: AT321904300235473204 and AT051904300235473205. */
const LATE_DEBITS = ['pm_successDelayed_at', 'pm_failedDelayed_at'] as const;

const DECLINED_SHARE = 0.1;
const DEBIT_SHARE = 0.25;

/** How long a donor retries. */
const TIMEOUT_MS = 90_000;
const PAUSE_MS = 300;
/**
 * After this many 409 responses the donor uses a new idempotency key. No intent of the old key was
 * ever confirmed, so this cannot charge twice.
 */
const MAX_CONFLICTS = 8;

/**
 * Simulates a donor's browser like `packages/elements`: one idempotency key for all attempts,
 * renewed sessions, retries after 429, and a lookup when the result is unknown.
 */
export class Donor {
  readonly donation: AttemptedDonation;
  readonly #system: SystemUnderTest;
  #key = randomUUID();
  #conflicts = 0;
  readonly #paymentMethod: string;
  readonly #browser: Stripe;
  #session: string | undefined;
  /** Proof of work for this donation, once the server has required one. */
  #proof: string | undefined;
  readonly #address: string;
  #until = 0;

  constructor(system: SystemUnderTest, paymentMethod: string = GOOD_CARD) {
    this.#system = system;
    this.#paymentMethod = paymentMethod;
    const part = () => system.random.integer(1, 254);
    this.#address = `198.18.${part()}.${part()}`; // Donors are at home, with different IP addresses.
    this.#browser = openBrowserStripe(system.addresses.sandbox);
    const amountCents = system.random.integer(100, 90_000);
    this.donation = { email: `${randomUUID()}@faults.example`, amountCents, outcome: 'unknown' };
  }

  /** Opens the form. */
  async open(): Promise<void> {
    this.#until ||= performance.now() + TIMEOUT_MS;
    const session = await this.#withRetry<FormSession>('/embed-sessions', {});
    this.#session = session?.session_token;
  }

  /** Submits the donation, with retries until there is a result. */
  async donate(): Promise<AttemptedDonation> {
    this.#until = performance.now() + TIMEOUT_MS;
    if (!this.#session) await this.open();
    const { amountCents: amount_cents, email: donor_email } = this.donation;
    const body = { amount_cents, donor_email, donor_name: 'Ada Lovelace' };
    const intent =
      this.#session && (await this.#withRetry<PaymentIntent>('/payment-intents', body));
    this.donation.outcome = intent ? await this.#confirm(intent) : 'nothing charged';
    return this.donation;
  }

  async #confirm(intent: PaymentIntent): Promise<DonorOutcome> {
    const { client_secret, payment_intent_id: id } = intent;
    const stripeAccount = intent.stripe_account_id!;
    while (performance.now() < this.#until) {
      const found = await this.#browser.paymentIntents
        .retrieve(id, { client_secret }, { stripeAccount })
        .catch(() => undefined);
      if (found?.status === 'succeeded') return 'paid';
      if (found?.status === 'processing') return 'on its way';
      // The bank has returned the debit while the form still waited for a response.
      if (found?.last_payment_error?.payment_method?.type === 'sepa_debit') return 'declined';
      if (
        found?.status === 'requires_payment_method' ||
        found?.status === 'requires_confirmation'
      ) {
        // Confirms like a browser: with the publishable key and the intent's client secret.
        const params = { client_secret, payment_method: this.#paymentMethod };
        const paid = await this.#browser.paymentIntents
          .confirm(id, params as Stripe.PaymentIntentConfirmParams, { stripeAccount })
          .catch((error: unknown) => error);
        if (paid instanceof Stripe.errors.StripeCardError) return 'declined';
        if (!(paid instanceof Error)) continue; // The loop reads the resulting state.
      }
      await sleep(PAUSE_MS);
    }
    return 'unknown';
  }

  /**
   * @returns undefined if the timeout is over
   */
  async #withRetry<Body>(path: string, body: object): Promise<Body | undefined> {
    while (performance.now() < this.#until) {
      const response = await this.#post(path, body);
      if (response?.ok) return (await response.json()) as Body;
      if (response?.status === 401) this.#session = undefined;
      else if (response?.status === 409) this.#conflict();
      else if (response?.status === 428) await this.#solveChallenge();
      else if (response && [400, 403, 404].includes(response.status)) {
        throw new Error(`${path}: ${response.status} ${await response.text()}`);
      }
      await sleep((Number(response?.headers.get('retry-after')) || 0) * 1000 || PAUSE_MS);
      if (!this.#session && path !== '/embed-sessions') await this.open();
    }
    return undefined;
  }

  /** Solves the required proof of work, as the form's script does. */
  async #solveChallenge(): Promise<void> {
    const response = await this.#post('/challenges', {});
    if (!response?.ok) return;
    const { challenge } = (await response.json()) as { challenge: object };
    this.#proof = await solveProof(challenge);
  }

  #conflict() {
    this.#conflicts += 1;
    if (this.#conflicts % MAX_CONFLICTS !== 0) return;
    this.#key = randomUUID();
    this.#proof = undefined; // A proof is valid for one idempotency key.
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
    return await fetch(`${this.#system.addresses.server}${path}`, init).catch(() => undefined);
  }
}

/**
 * Creates concurrent donors: a tenth of them have a card that is declined, and a fourth pay by bank debit, of which half
 * are returned. Banks now decide about the debits of earlier donors, so that this happens during the same faults.
 */
export async function createDonors(system: SystemUnderTest, count: number): Promise<Donor[]> {
  await system.settleDebits();
  return Array.from({ length: count }, () => new Donor(system, pickPaymentMethod(system.random)));
}

function pickPaymentMethod(random: Random): string {
  const share = random.next();
  if (share < DECLINED_SHARE) return DECLINED_CARD;
  return share < DECLINED_SHARE + DEBIT_SHARE ? random.pick(LATE_DEBITS) : GOOD_CARD;
}
