import type { WorkerDeps } from '../env.ts';
import { accountEvents } from './account-events.ts';
import { refundDisputeEvents } from './refund-dispute-events.ts';
import { paymentEvents } from './payment-events.ts';
import type { Handlers, Outcome } from './event-handler.ts';
import { payoutEvents } from './payout-events.ts';
import { subscriptionEvents } from './subscription-events.ts';
import type { EventWith } from '../processor/stripe-event.ts';

/** Every type of event that this service deals with, a line for each family. */
export const HANDLERS: Handlers = new Map([
  ...paymentEvents,
  ...refundDisputeEvents,
  ...payoutEvents,
  ...accountEvents,
  ...subscriptionEvents,
]);

/**
 * Validates an event for the handler of its type. A type without a handler is ignored.
 *
 * @throws {ConnectError} `invalid_request` naming the field that the handler cannot read
 */
export const prepareEvent = (event: EventWith<object>): ((deps: WorkerDeps) => Promise<Outcome>) =>
  HANDLERS.get(event.type)?.(event) ?? (async () => 'ignored');
