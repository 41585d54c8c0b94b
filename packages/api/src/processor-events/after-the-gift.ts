import type Stripe from 'stripe';
import type { WorkDeps } from '../env.ts';
import { syncRegistration } from '../events/sync-registration.ts';
import { syncGift } from '../money/sync-gift.ts';
import { z } from 'zod';
import { handlersOf, type Outcome } from './handler.ts';
import { organizationOf } from './owner.ts';
import { Reference, type EventWith } from '../processor/stripe-event.ts';

/** What all of these objects have: the gift that they belong to. */
const OfGift = z.object({ payment_intent: Reference });
type OfGift = z.infer<typeof OfGift>;

/** Whatever it tells: the gift is asked for and set to what the processor says now. */
async function lookAgain(deps: WorkDeps, event: EventWith<OfGift>): Promise<Outcome> {
  const { payment_intent: paymentIntentId } = event.data.object;
  const organizationId = await organizationOf(deps.db, event.account);
  if (!organizationId || !event.account || !paymentIntentId) return 'ignored';
  const place = { organizationId, account: event.account, paymentIntentId, event };
  return (await syncRegistration(deps, place)) ?? (await syncGift(deps, place));
}

const TYPES = [
  // A fee that came late.
  'charge.updated',
  'charge.refunded',
  'charge.refund.updated',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
] as const satisfies Stripe.Event.Type[];

/** Fees, refunds and disputes of gifts, and refunds of what was paid for a registration. */
export const afterTheGift = handlersOf(TYPES, OfGift, lookAgain);
