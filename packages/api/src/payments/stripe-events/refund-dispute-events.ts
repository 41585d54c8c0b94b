import type Stripe from 'stripe';
import type { WorkerDeps } from '../deps.ts';
import { syncRegistration } from '../registrations/sync-registration.ts';
import { loadPaymentContext } from '../payment-context.ts';
import { fetchAndSync } from '../sync.ts';
import { z } from 'zod';
import { createHandlers, type Outcome } from './event-handler.ts';
import { Reference, type EventWith } from '../stripe/stripe-event.ts';

/** The only field used of charges, refunds and disputes: the payment that they belong to. */
const PaymentObject = z.object({ payment_intent: Reference });
type PaymentObject = z.infer<typeof PaymentObject>;

/**
 * Uses only the payment's id from the payload. Fetches the payment and updates its registration or
 * donation.
 */
async function syncFromEvent(deps: WorkerDeps, event: EventWith<PaymentObject>): Promise<Outcome> {
  const { payment_intent: paymentIntentId } = event.data.object;
  const context =
    paymentIntentId &&
    (await loadPaymentContext(deps.db, event.account, paymentIntentId, event.id));
  if (!context) return 'ignored';
  const sync = context.registration ? syncRegistration : fetchAndSync;
  return await sync(deps, context, event);
}

const TYPES = [
  // Sent when the fee of a charge becomes known.
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

/**
 * Stripe events about fees, refunds and disputes of donations, and refunds of event registrations.
 */
export const refundDisputeEvents = createHandlers(TYPES, PaymentObject, syncFromEvent);
