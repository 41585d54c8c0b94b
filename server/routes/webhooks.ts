import { ConnectError } from '@connect-embed/contract';
import { Hono } from 'hono';
import type { Deps, Env } from '../deps.ts';
import { describeError } from '../log.ts';
import {
  handleOnce,
  verifyWebhookEvent,
  inMemoryHandledEvents,
  type ReceivedEvent,
} from './webhook-events.ts';

/** Value of `Retry-After`. The API ignores it and retries by its own schedule. */
const RETRY_SECONDS = 5;

const SETUP_HELP =
  'If this is your site, set "onEvent" in connect.config.ts, and WEBHOOK_SECRET to the secret from POST /webhooks of the API.';

/**
 * `POST /webhooks` receives webhook events of the Connect API.
 *
 * Status 204 means that the `onEvent` hook has handled the event. If the hook fails, the response
 * is 503 and the API retries. A repeated event returns 204 without calling the hook:
 * docs/decisions/0008-webhooks.md
 */
export const webhookRoutes = ({ config }: Pick<Deps, 'config'>) => {
  const { webhookSecrets, onEvent, handledEvents, log } = config;
  const logFailure = (event: ReceivedEvent, error: unknown, message: string) =>
    log.error({ event_id: event.id, ...describeError(error) }, message);
  const handle =
    onEvent &&
    handleOnce(onEvent, handledEvents ?? inMemoryHandledEvents(), (event, error) =>
      logFailure(event, error, 'handledEvents.finish failed'),
    );
  return new Hono<Env>().post('/', async (c) => {
    if (!handle || webhookSecrets.length === 0) {
      throw new ConnectError('forbidden', `No webhook handler is configured. ${SETUP_HELP}`);
    }
    const event = verifyWebhookEvent(webhookSecrets, await c.req.text(), c.req.header());
    try {
      await handle(event);
    } catch (error) {
      logFailure(event, error, 'onEvent failed');
      const message = 'The event could not be processed. Send it again.';
      const options = { cause: error, retryAfterSeconds: RETRY_SECONDS };
      throw new ConnectError('unavailable', message, options);
    }
    return c.body(null, 204);
  });
};
