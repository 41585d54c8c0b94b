import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ConnectError, PaymentIntent } from '@connect-embed/contract';
import type Stripe from 'stripe';
import type { AttemptedDonation } from '../faults/support/donor.ts';
import { createPaymentIntent, openForm, type WaitForRetry } from './form-client.ts';

/** What the form tells a donor: the donation is paid, the place in line, how long to wait, or to try again. */
export type FormStatus = 'paid' | 'position' | 'countdown' | 'try again';

/** A donation with what the donor saw. Times are milliseconds of `performance.now()`. */
export interface PeakDonation extends AttemptedDonation {
  /** When the donor pressed the button. */
  startedAt: number;
  /** When the form first told the donor something, and what. */
  statusAt: number;
  firstStatus: FormStatus | undefined;
  paidAt: number;
  /** The largest position in line that the form showed. */
  position: number;
  /** When the turn was that the form last announced; undefined if the donor did not wait in line. */
  turnAt: number | undefined;
}

export interface DonorContext {
  /** Address of the BFF. */
  server: string;
  form: string;
  /** Stripe client with the publishable key, as a browser has. */
  browser: Stripe;
  /** When the donor gives up, in milliseconds of `performance.now()`. */
  until: number;
}

/** How long a donor takes to press the button again. */
const PRESS_AGAIN_MS = 5000;
/** Errors after which the form says that nothing was charged and to try again. */
const TEMPORARY = ['unavailable', 'server_error', 'rate_limited', 'conflict'];

/** Donates with the code of the form, and presses the button again when the form says so. */
export async function donate(context: DonorContext, amountCents: number): Promise<PeakDonation> {
  const email = `${randomUUID()}@peak.example`;
  const signal = AbortSignal.timeout(Math.ceil(context.until - performance.now()));
  const form = await openPage({ server: context.server, name: context.form }, signal);
  const donation: PeakDonation = {
    ...{ email, amountCents, outcome: 'nothing charged' as const },
    ...{ startedAt: performance.now(), statusAt: Infinity, paidAt: Infinity },
    ...{ firstStatus: undefined, position: 0, turnAt: undefined },
  };
  const show = (status: FormStatus) => {
    donation.statusAt = Math.min(donation.statusAt, performance.now());
    donation.firstStatus ??= status;
  };
  const wait: WaitForRetry = async (seconds, reason, position) => {
    if (reason === 'rate_limited') show(position ? 'position' : 'countdown');
    if (position) {
      donation.position = Math.max(donation.position, position);
      donation.turnAt = performance.now() + seconds * 1000;
    }
    await sleep(seconds * 1000);
  };
  const input = { amount_cents: amountCents, donor_email: email, donor_name: 'Ada Lovelace' };
  let idempotencyKey = randomUUID();
  let intent: PaymentIntent | undefined;
  while (!signal.aborted) {
    try {
      intent ??= await createPaymentIntent(form, input, { idempotencyKey, wait });
      const status = await confirm(context.browser, intent);
      donation.outcome = status === 'succeeded' ? 'paid' : 'unknown';
      if (status === 'canceled') {
        intent = undefined;
        idempotencyKey = randomUUID();
      }
    } catch (error) {
      if (signal.aborted) break;
      const { type } = error as ConnectError;
      if (!TEMPORARY.includes(type)) throw error;
      if (type === 'conflict') idempotencyKey = randomUUID();
    }
    if (donation.outcome === 'paid') break;
    show('try again');
    await sleep(PRESS_AGAIN_MS);
  }
  if (donation.outcome !== 'paid') return donation;
  show('paid');
  return { ...donation, paidAt: performance.now() };
}

/** Opens the form, and reloads the page if the form could not be opened. */
async function openPage(address: Parameters<typeof openForm>[0], signal: AbortSignal) {
  for (;;) {
    try {
      const form = await openForm(address, signal);
      await form.session.open(); // As when the donor first uses the form.
      return form;
    } catch (error) {
      if (signal.aborted) throw error;
      await sleep(PRESS_AGAIN_MS);
    }
  }
}

/** Confirms the intent, unless an earlier confirmation without a response has succeeded. Returns its status. */
async function confirm(browser: Stripe, intent: PaymentIntent): Promise<string> {
  const { payment_intent_id: id, client_secret, stripe_account_id } = intent;
  const account = { stripeAccount: stripe_account_id! };
  const params = { client_secret, payment_method: 'pm_card_visa' };
  const { status } = await browser.paymentIntents
    .confirm(id, params as Stripe.PaymentIntentConfirmParams, account)
    .catch(() => browser.paymentIntents.retrieve(id, { client_secret }, account))
    .catch(() => ({ status: 'unknown' }));
  return status;
}
