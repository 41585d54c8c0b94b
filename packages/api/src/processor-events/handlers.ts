import type Stripe from 'stripe';
import type { WorkDeps } from '../env.ts';
import { accounts } from './accounts.ts';
import { afterTheGift } from './after-the-gift.ts';
import { gifts } from './gifts.ts';
import type { Handler, Handlers, Outcome } from './handler.ts';
import { payouts } from './payouts.ts';
import { planEvents } from './plans.ts';

/** Every type of event that this service deals with, a line for each family. */
export const HANDLERS: Handlers = {
  ...gifts,
  ...afterTheGift,
  ...payouts,
  ...accounts,
  ...planEvents,
};

/** Hands an event to whoever deals with its type; what nobody deals with is ignored. */
export async function dispatch(deps: WorkDeps, event: Stripe.Event): Promise<Outcome> {
  const handler = HANDLERS[event.type] as Handler<Stripe.Event.Type> | undefined;
  return handler ? await handler(deps, event) : 'ignored';
}
