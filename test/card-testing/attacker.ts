import type { FormSession, PaymentIntent } from '@connect-embed/contract';
import type Stripe from 'stripe';
import { ACCOUNT } from '../support/processor.ts';
import { SITE, type System } from './system.ts';

/** Concurrent requests of the attackers. */
const CONCURRENCY = 20;
/** Concurrent confirmations of one payment intent. */
const CARD_CONCURRENCY = 5;
/** Maximum number of stolen cards that an attacker tries on one payment intent. */
const CARDS_PER_LIST = 200;
/** Requests per second of an attack without a number of attempts. */
const PER_SECOND = 20;

/** Result of an attack. */
export interface Attack {
  attempts: number;
  /** Opened payment intents, with the IP address of each. */
  intents: Map<string, string>;
}

export const post = (
  server: string,
  path: string,
  address: string,
  body: object,
  headers: Record<string, string> = {},
) =>
  fetch(`${server}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      origin: SITE,
      'x-forwarded-for': address,
      ...headers,
    },
    body: JSON.stringify(body),
  });

/**
 * Opens payment intents from the given addresses in turn, without a proof of work, and tries a list
 * of stolen cards on each.
 *
 * @param options.tries number of attempts; `options.signal` ends an attack without that number
 */
export async function attack(
  system: System,
  servers: readonly string[],
  addresses: readonly string[],
  { tries = Infinity, signal }: { tries?: number; signal?: AbortSignal },
): Promise<Attack> {
  const result: Attack = { attempts: 0, intents: new Map() };
  const confirming: Promise<void>[] = [];
  const sessions = new Map<string, Promise<string>>();
  const attemptDonation = async (attemptIndex: number) => {
    const address = addresses[attemptIndex % addresses.length]!;
    const server = servers[attemptIndex % servers.length]!;
    // After four attempts the attacker starts a new session, as another visitor would.
    const sessionKey = `${server} ${address} ${Math.floor(attemptIndex / addresses.length / 4)}`;
    if (!sessions.has(sessionKey)) sessions.set(sessionKey, openSession(server, address));
    const response = await post(
      server,
      '/payment-intents',
      address,
      { amount_cents: 500 },
      {
        authorization: `Bearer ${await sessions.get(sessionKey)!}`,
        'idempotency-key': crypto.randomUUID(),
      },
    );
    const body = (await response.json()) as PaymentIntent;
    if (response.status !== 201) return;
    result.intents.set(body.payment_intent_id, address);
    confirming.push(tryCards(system, body));
  };
  const worker = async () => {
    while (result.attempts < tries && !signal?.aborted) {
      await attemptDonation(result.attempts++).catch(() => undefined);
      if (signal)
        await new Promise((resolve) => setTimeout(resolve, (CONCURRENCY / PER_SECOND) * 1000));
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  await Promise.all(confirming);
  return result;
}

async function openSession(server: string, address: string): Promise<string> {
  const response = await post(server, '/embed-sessions', address, {});
  return ((await response.json()) as FormSession).session_token;
}

/** Confirms cards, several at a time, until the payment intent accepts no more. */
async function tryCards({ browser }: System, intent: PaymentIntent): Promise<void> {
  const { payment_intent_id: id, client_secret } = intent;
  const params = { client_secret, payment_method: 'pm_card_visa_chargeDeclined' };
  let cards = 0;
  let isClosed = false;
  const worker = async () => {
    while (!isClosed && cards < CARDS_PER_LIST) {
      try {
        await browser.paymentIntents.confirm(id, params as Stripe.PaymentIntentConfirmParams, {
          stripeAccount: ACCOUNT,
        });
      } catch (error) {
        const { code } = error as Stripe.errors.StripeError;
        if (code === 'payment_intent_unexpected_state') isClosed = true;
        else if (code === 'card_declined') cards += 1;
        else await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
  };
  await Promise.all(Array.from({ length: CARD_CONCURRENCY }, worker));
}

/**
 * Counts the cards that reached the processor: the maximum for one address, and the total for the
 * form.
 */
export async function countCards(system: System, attacks: readonly Attack[]) {
  const cards = await system.cards();
  const ofAddress = new Map<string, number>();
  let perForm = 0;
  for (const { intents } of attacks) {
    for (const [id, address] of intents) {
      const count = cards.get(id) ?? 0;
      perForm += count;
      ofAddress.set(address, (ofAddress.get(address) ?? 0) + count);
    }
  }
  return { perAddress: Math.max(0, ...ofAddress.values()), perForm };
}
