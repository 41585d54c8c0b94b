import type Stripe from 'stripe';
import type { WorkDeps } from '../env.ts';

/** What became of an event: it changed something, it had been dealt with, it is not for us. */
export type Outcome = 'recorded' | 'duplicate' | 'ignored';

/** The events of these types, as `stripe` describes them. */
export type EventOf<Type extends Stripe.Event.Type> = Extract<Stripe.Event, { type: Type }>;

/** Deals with events of these types. */
export type Handler<Type extends Stripe.Event.Type> = (
  deps: WorkDeps,
  event: EventOf<Type>,
) => Promise<Outcome>;

/** Which handler deals with which type; a family of events is one file with such a table. */
export type Handlers = { [Type in Stripe.Event.Type]?: Handler<Type> };
