import { validate } from '@connect-embed/contract/hono';
import type Stripe from 'stripe';
import { z } from 'zod';
import type { WorkerDeps } from '../env.ts';
import { StripeEvent, type EventWith } from '../processor/stripe-event.ts';

/** What became of an event: it changed something, it had been dealt with, it is not for us. */
export type Outcome = 'recorded' | 'duplicate' | 'ignored';

/** Handles an event whose object has been validated. */
export type Handler<Resource> = (deps: WorkerDeps, event: EventWith<Resource>) => Promise<Outcome>;

/** Validates an event, and returns what handles it. */
type PrepareEvent = (event: EventWith<object>) => (deps: WorkerDeps) => Promise<Outcome>;

/** Which handler deals with which type; a family of events is one file with such a table. */
export type Handlers = ReadonlyMap<string, PrepareEvent>;

/**
 * Handles events of these types.
 *
 * @param resource what the handler reads of `data.object`; an event without it is refused with 400
 */
export function createHandlers<Resource extends z.ZodType>(
  types: readonly Stripe.Event.Type[],
  resource: Resource,
  handler: Handler<z.output<Resource>>,
): Handlers {
  const schema = StripeEvent.extend({ data: z.object({ object: resource }) });
  const prepare: PrepareEvent = (event) => {
    const valid = validate(schema, event, 'body') as EventWith<z.output<Resource>>;
    return (deps) => handler(deps, valid);
  };
  return new Map(types.map((type) => [type, prepare]));
}
