import type { FormSession, PaymentIntent } from '@connect-embed/contract';
import { solveProof } from '@connect-embed/contract/solve-proof';
import type Stripe from 'stripe';
import { ACCOUNT } from '../support/processor.ts';
import { post } from './attacker.ts';
import type { System } from './system.ts';

/** Donors who share one network address, as in an office. */
const DONORS_SHARING_ADDRESS = 30;
/** Donors who share an address with an attacker. */
const DONORS_SHARING_ATTACKER_ADDRESS = 6;
/** Maximum number of waits after a 429 or 503, and of proofs of work, of one donor. */
const MAX_WAITS = 5;
const MAX_PROOFS = 2;
const PROGRESS_SECONDS = 15;

interface DonorSchedule {
  minutes: number;
  donors: number;
  /** An address that attackers use as well. */
  sharedAddress: string;
}

/** The donor's system, BFF and IP address, and a shared count of delays. */
interface DonorContext {
  system: System;
  server: string;
  address: string;
  delays: Map<string, number>;
}

/**
 * Lets donors donate, evenly distributed over the time.
 *
 * @returns their waiting times in milliseconds, sorted
 */
export async function donateDuringAttack(
  system: System,
  { minutes, donors, sharedAddress }: DonorSchedule,
) {
  const waits: number[] = [];
  /** Number of responses that delayed donors, by status and message. */
  const delays = new Map<string, number>();
  const result = { rejected: 0, proven: 0, waits, delays };
  let startedCount = 0;
  const progress = setInterval(() => {
    console.log(
      `  … ${startedCount} of ${donors} donors started, ${waits.length} paid, ${result.rejected} rejected`,
    );
  }, PROGRESS_SECONDS * 1000);
  const addressOf = (donor: number) => {
    if (donor % Math.floor(donors / DONORS_SHARING_ATTACKER_ADDRESS) === 1) return sharedAddress;
    if (donor % Math.floor(donors / DONORS_SHARING_ADDRESS) === 0) return '192.0.2.77';
    return `198.51.${donor >> 8}.${donor & 255}`;
  };
  const donations: Promise<void>[] = [];
  for (let donor = 0; donor < donors; donor++) {
    startedCount += 1;
    const server = system.servers[donor % system.servers.length]!;
    donations.push(
      donate({ system, server, address: addressOf(donor), delays }, donor % 10 === 5).then(
        ({ ms, isProven }) => {
          result.proven += Number(isProven);
          if (ms === undefined) result.rejected += 1;
          else waits.push(ms);
        },
      ),
    );
    await new Promise((resolve) => setTimeout(resolve, (minutes * 60_000) / donors));
  }
  await Promise.all(donations);
  clearInterval(progress);
  waits.sort((one, other) => one - other);
  return result;
}

/** Behaves like the form: solves proofs, waits for Retry-After, and tries another card. */
async function donate(context: DonorContext, firstCardDeclined: boolean) {
  const { system, server, address } = context;
  const session = await post(server, '/embed-sessions', address, {});
  const { session_token } = (await session.json()) as FormSession;
  const headers: Record<string, string> = { authorization: `Bearer ${session_token}` };
  const started = performance.now();
  let isProven = false;
  let cards = firstCardDeclined
    ? ['pm_card_visa_chargeDeclined', 'pm_card_visa']
    : ['pm_card_visa'];
  // If a payment intent was canceled after a decline, the next submit opens a new one.
  for (let submissions = 0; submissions < 3; submissions++) {
    headers['idempotency-key'] = crypto.randomUUID();
    delete headers['proof'];
    const intent = await openIntent(context, headers);
    isProven ||= 'proof' in headers;
    if (!intent) return { ms: undefined, isProven };
    for (const card of [...cards]) {
      const outcome = await confirm(system, intent, card);
      if (outcome === 'succeeded') return { ms: performance.now() - started, isProven };
      if (outcome === 'canceled') break;
      cards = cards.slice(1);
    }
  }
  return { ms: undefined, isProven };
}

async function openIntent(
  { server, address, delays }: DonorContext,
  headers: Record<string, string>,
): Promise<PaymentIntent | undefined> {
  let proofs = 0;
  for (let waits = 0; waits < MAX_WAITS && proofs <= MAX_PROOFS;) {
    const response = await post(
      server,
      '/payment-intents',
      address,
      { amount_cents: 5000 },
      headers,
    );
    const body = (await response.json()) as PaymentIntent & { error?: { message: string } };
    if (response.status === 201) return body;
    if (response.status !== 428 || proofs > 0) {
      const delayReason = `${response.status} ${body.error?.message.replace(/\d+/g, '…')}`;
      delays.set(delayReason, (delays.get(delayReason) ?? 0) + 1);
    }
    if (response.status === 428) {
      const challengeResponse = await post(server, '/challenges', address, {}, headers);
      const { challenge } = (await challengeResponse.json()) as { challenge: object };
      headers['proof'] = await solveProof(challenge);
      proofs += 1;
    } else if (response.status === 429 || response.status === 503) {
      const seconds = Number(response.headers.get('retry-after')) || 1;
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
      waits += 1;
    } else return undefined;
  }
  return undefined;
}

async function confirm({ browser }: System, intent: PaymentIntent, payment_method: string) {
  const { payment_intent_id: id, client_secret } = intent;
  const params = { client_secret, payment_method } as Stripe.PaymentIntentConfirmParams;
  try {
    const { status } = await browser.paymentIntents.confirm(id, params, { stripeAccount: ACCOUNT });
    return status;
  } catch (error) {
    const { code, payment_intent } = error as Stripe.errors.StripeError;
    return payment_intent?.status === 'canceled' ? 'canceled' : code;
  }
}
