import type { FormSession, PaymentIntent } from '@connect-embed/contract';
import type Stripe from 'stripe';
import { ACCOUNT } from '../support/processor.ts';
import { SITE, type System } from './system.ts';

/** Requests of the attackers that are on their way at a time. */
const AT_ONCE = 20;
/** Confirmations of one payment intent that an attacker sends at a time. */
const CARDS_AT_ONCE = 5;
/** Cards on the list of stolen cards that an attacker tries on one payment intent. */
const CARDS_OF_A_LIST = 200;
/** Attackers that go on and on send about so many requests a second. */
const PER_SECOND = 20;

/** What came of an attack. */
export interface Attack {
  tried: number;
  /** Payment intents that the attackers got, and the address that got each. */
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
 * Opens payment intents from these addresses in turn, without any proof of work, and tries a list of
 * stolen cards on each.
 *
 * @param until so many tries, or for as long as the signal says
 */
export async function attack(
  system: System,
  servers: readonly string[],
  addresses: readonly string[],
  { tries = Infinity, signal }: { tries?: number; signal?: AbortSignal },
): Promise<Attack> {
  const result: Attack = { tried: 0, intents: new Map() };
  const confirming: Promise<void>[] = [];
  const sessions = new Map<string, Promise<string>>();
  const tryOnce = async (turn: number) => {
    const address = addresses[turn % addresses.length]!;
    const server = servers[turn % servers.length]!;
    // Another visitor after a few tries, as far as the server can tell.
    const visit = `${server} ${address} ${Math.floor(turn / addresses.length / 4)}`;
    if (!sessions.has(visit)) sessions.set(visit, openForm(server, address));
    const answer = await post(
      server,
      '/payment-intents',
      address,
      { amount_cents: 500 },
      {
        authorization: `Bearer ${await sessions.get(visit)!}`,
        'idempotency-key': crypto.randomUUID(),
      },
    );
    const body = (await answer.json()) as PaymentIntent;
    if (answer.status !== 201) return;
    result.intents.set(body.payment_intent_id, address);
    confirming.push(tryCards(system, body));
  };
  const worker = async () => {
    while (result.tried < tries && !signal?.aborted) {
      await tryOnce(result.tried++).catch(() => undefined);
      if (signal)
        await new Promise((resolve) => setTimeout(resolve, (AT_ONCE / PER_SECOND) * 1000));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  await Promise.all(confirming);
  return result;
}

async function openForm(server: string, address: string): Promise<string> {
  const answer = await post(server, '/embed-sessions', address, {});
  return ((await answer.json()) as FormSession).session_token;
}

/** Confirms card after card, several at once, until the payment intent takes no more. */
async function tryCards({ browser }: System, intent: PaymentIntent): Promise<void> {
  const { payment_intent_id: id, client_secret } = intent;
  const params = { client_secret, payment_method: 'pm_card_visa_chargeDeclined' };
  let cards = 0;
  let isClosed = false;
  const worker = async () => {
    while (!isClosed && cards < CARDS_OF_A_LIST) {
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
  await Promise.all(Array.from({ length: CARDS_AT_ONCE }, worker));
}

/** What reached the processor from one address at most, and on the form in all. */
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
