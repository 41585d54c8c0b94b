import { ConnectError } from '@connect-embed/contract';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { Env } from '../../http/env.ts';
import type { RequestDeps } from '../deps.ts';
import { prepareEvent } from './handlers.ts';

/** Stripe's events contain whole objects, so they are larger than other request bodies. */
const MAX_EVENT_BYTES = 1024 * 1024;

/**
 * `POST /processor-events`: webhook endpoint for Stripe. A donation is recorded only when Stripe
 * reports it.
 *
 * Events arrive late, repeatedly and in any order, so the payload is not trusted: the payment is
 * fetched again from Stripe. `payments/stripe-events/handlers.ts` handles each type. An event that cannot be
 * parsed is rejected with 400. Any other failure responds 503, so that Stripe sends the event again.
 */
export const processorEvents = (deps: RequestDeps) =>
  new Hono<Env>().post(
    '/',
    bodyLimit({ maxSize: MAX_EVENT_BYTES, onError: tooLarge }),
    async (c) => {
      const signature = c.req.header('stripe-signature') ?? '';
      const event = await deps.processor.readEvent(await c.req.text(), signature);
      c.set('stripeEvent', { id: event.id, type: event.type });
      // A live endpoint for connected accounts also receives events of their test mode.
      if (event.livemode !== deps.processor.livemode) {
        return c.json({ received: true, outcome: 'ignored' });
      }
      const handle = prepareEvent(event);
      try {
        return c.json({ received: true, outcome: await handle(deps) });
      } catch (cause) {
        if (cause instanceof ConnectError && cause.type === 'unavailable') throw cause;
        throw new ConnectError('unavailable', 'The event could not be processed. Send it again.', {
          cause,
        });
      }
    },
  );

const tooLarge = () => {
  throw new ConnectError('payload_too_large', `The event is larger than ${MAX_EVENT_BYTES} bytes.`);
};
