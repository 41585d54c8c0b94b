import { validate } from '@connect-embed/contract/hono';
import type Stripe from 'stripe';
import { z } from 'zod';
import type { WorkerDeps } from '../deps.ts';
import type { EventWith } from '../stripe/stripe-event.ts';

/**
 * Result of a Stripe event: it changed something, was handled before or changed nothing, or does
 * not concern this service.
 */
export type Outcome = 'recorded' | 'duplicate' | 'ignored';

/** Handles a Stripe event whose object has been validated. */
export type Handler<Resource> = (deps: WorkerDeps, event: EventWith<Resource>) => Promise<Outcome>;

/** Validates the object of a Stripe event, and returns the function that handles the event. */
type PrepareEvent = (event: EventWith<object>) => (deps: WorkerDeps) => Promise<Outcome>;

/** Handlers by event type. Each family of events is one file that exports such a map. */
export type Handlers = ReadonlyMap<string, PrepareEvent>;

/**
 * Creates handlers for these types of Stripe events.
 *
 * @param resource schema of the fields of `data.object` that the handler uses; an event that does
 *   not match is rejected with 400
 */
export function createHandlers<Resource extends z.ZodType>(
  types: readonly Stripe.Event.Type[],
  resource: Resource,
  handler: Handler<z.output<Resource>>,
): Handlers {
  const schema = z.object({ data: z.object({ object: resource }) });
  const prepare: PrepareEvent = (event) => {
    const { data } = validate(schema, event, 'body');
    const valid = { ...event, data } as EventWith<z.output<Resource>>;
    return (deps) => handler(deps, valid);
  };
  return new Map(types.map((type) => [type, prepare]));
}
