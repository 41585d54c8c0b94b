import { ConnectError } from '@connect-embed/contract';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { Deps, Env } from '../env.ts';
import { prepareEvent } from '../processor-events/handlers.ts';

/** Events carry whole objects of the processor and are larger than anything that callers send. */
const MAX_EVENT_BYTES = 1024 * 1024;

/**
 * `POST /processor-events`: the processor reports, and only what it reports is a donation.
 *
 * Events come late, twice and in any order, so each says only where to look: the gift itself is
 * asked for. What is done with each type stands in `processor-events/handlers.ts`. An event that cannot
 * be read is refused with 400. Whatever else goes wrong is answered 503, and the processor sends the
 * event again.
 */
export const processorEvents = (deps: Deps) =>
  new Hono<Env>().post(
    '/',
    bodyLimit({ maxSize: MAX_EVENT_BYTES, onError: tooLarge }),
    async (c) => {
      const signature = c.req.header('stripe-signature') ?? '';
      const event = await deps.processor.readEvent(await c.req.text(), signature);
      c.set('event', { id: event.id, type: event.type });
      // A live endpoint for connected accounts is also told what happens in their test modes.
      if (event.livemode !== deps.processor.livemode) {
        return c.json({ received: true, outcome: 'ignored' });
      }
      const handle = prepareEvent(event);
      try {
        return c.json({ received: true, outcome: await handle(deps) });
      } catch (cause) {
        if (cause instanceof ConnectError && cause.type === 'unavailable') throw cause;
        throw new ConnectError('unavailable', 'The event could not be dealt with; send it again.', {
          cause,
        });
      }
    },
  );

const tooLarge = () => {
  throw new ConnectError('payload_too_large', `The event is larger than ${MAX_EVENT_BYTES} bytes.`);
};
