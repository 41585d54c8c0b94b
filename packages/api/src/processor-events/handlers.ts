import type { WorkDeps } from '../env.ts';
import { accounts } from './accounts.ts';
import { afterTheGift } from './after-the-gift.ts';
import { gifts } from './gifts.ts';
import type { Handlers, Outcome } from './handler.ts';
import { payouts } from './payouts.ts';
import { planEvents } from './plans.ts';
import type { EventWith } from '../processor/stripe-event.ts';

/** Every type of event that this service deals with, a line for each family. */
export const HANDLERS: Handlers = new Map([
  ...gifts,
  ...afterTheGift,
  ...payouts,
  ...accounts,
  ...planEvents,
]);

/**
 * Validates an event for the handler of its type. A type without a handler is ignored.
 *
 * @throws {ConnectError} `invalid_request` naming the field that the handler cannot read
 */
export const prepareEvent = (event: EventWith<object>): ((deps: WorkDeps) => Promise<Outcome>) =>
  HANDLERS.get(event.type)?.(event) ?? (async () => 'ignored');
