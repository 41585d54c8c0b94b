import type { WorkerDeps } from '../deps.ts';
import { accountEvents } from './account-events.ts';
import { refundDisputeEvents } from './refund-dispute-events.ts';
import { paymentEvents } from './payment-events.ts';
import type { Handlers, Outcome } from './event-handler.ts';
import { payoutEvents } from './payout-events.ts';
import { subscriptionEvents } from './subscription-events.ts';
import type { EventWith, StripeNotification } from '../stripe/stripe-event.ts';

/** Handlers of all Stripe events that this service processes, by event type. */
export const HANDLERS: Handlers = new Map([
  ...paymentEvents,
  ...refundDisputeEvents,
  ...payoutEvents,
  ...accountEvents,
  ...subscriptionEvents,
]);

/** Returns whether this service processes the event. It uses no event of version 2 of Stripe's API. */
export const hasHandler = ({ object = 'event', type }: StripeNotification): boolean =>
  object === 'event' && HANDLERS.has(type);

/**
 * Validates a Stripe event for the handler of its type. Events without a handler are ignored.
 *
 * @throws {ConnectError} `invalid_request` naming the field that is invalid
 */
export const prepareEvent = (event: EventWith<object>): ((deps: WorkerDeps) => Promise<Outcome>) =>
  HANDLERS.get(event.type)?.(event) ?? (async () => 'ignored');
