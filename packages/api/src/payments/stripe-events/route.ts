import { ConnectError, notFound } from '@connect-embed/contract';
import { limitBodyTo, validate } from '@connect-embed/contract/hono';
import { Hono, type Context } from 'hono';
import { forOrganization } from '../../db/organization-scope.ts';
import type { Env } from '../../http/env.ts';
import { isId } from '../../lib/id.ts';
import type { RequestDeps } from '../deps.ts';
import { webhookSecretOf } from '../own-keys/stored-keys.ts';
import { finalRefusal } from '../stripe/errors.ts';
import { StripeEvent, type EventWith } from '../stripe/stripe-event.ts';
import { hasHandler, prepareEvent } from './handlers.ts';

/** Stripe's events contain whole objects, so they are larger than other request bodies. */
const MAX_EVENT_BYTES = 1024 * 1024;

/**
 * `POST /processor-events`: webhook endpoint for Stripe events of the platform and its connected accounts.
 * `POST /processor-events/{organization}`: for those of an organization with own Stripe keys. A donation is
 * recorded only when Stripe reports it.
 *
 * Events arrive late, repeatedly and in any order, so the payload is not trusted: the payment is
 * fetched again from Stripe. `payments/stripe-events/handlers.ts` handles each type.
 *
 * Stripe repeats an event for days until the response is 2xx, and may disable an endpoint that responds with
 * other statuses. So events that are not used, and those whose objects Stripe refuses to return for good, are
 * acknowledged. An event that cannot be parsed is rejected with 400. Any other failure responds 503, so that
 * Stripe sends the event again.
 */
export const processorEvents = (deps: RequestDeps) =>
  new Hono<Env>()
    .use(limitBodyTo(MAX_EVENT_BYTES))
    .post('/', async (c) => {
      if (!deps.processor.hasPlatform) throw notFound('webhook endpoint', 'of the platform');
      const event = await readEvent(deps, c);
      if (!event) return c.json(IGNORED);
      // Its own endpoint reports the payments of an account with own keys.
      if (event.account && (await deps.storedKeys.find(event.account))) return c.json(IGNORED);
      // A live endpoint for connected accounts also receives events of their test mode.
      const { livemode } = deps.processor;
      return await handleEvent(deps, c, event, { livemode, hasOwnKeys: false });
    })
    // Events of an account with own keys name no account. The secret proves where they come from.
    .post('/:organization', async (c) => {
      const id = c.req.param('organization');
      const endpoint = await findEndpoint(deps, id);
      if (!endpoint) throw notFound('webhook endpoint', `of ${id}`);
      const { account, livemode, secret } = endpoint;
      const event = await readEvent(deps, c, secret);
      if (!event || (event.account && event.account !== account)) return c.json(IGNORED);
      return await handleEvent(deps, c, { ...event, account }, { livemode, hasOwnKeys: true });
    });

const IGNORED = { received: true, outcome: 'ignored' } as const;

/** Returns the event of a signed request, or undefined if its type has no handler. */
async function readEvent({ processor }: RequestDeps, c: Context<Env>, secret?: string) {
  const signature = c.req.header('stripe-signature') ?? '';
  const notification = await processor.readEvent(await c.req.text(), signature, secret);
  c.set('stripeEvent', { id: notification.id, type: notification.type });
  if (!hasHandler(notification)) return undefined;
  return validate(StripeEvent, notification, 'body');
}

async function handleEvent(
  deps: RequestDeps,
  c: Context<Env>,
  event: EventWith<object>,
  { livemode, hasOwnKeys }: { livemode: boolean; hasOwnKeys: boolean },
) {
  if (event.livemode !== livemode) return c.json(IGNORED);
  const handle = prepareEvent(event);
  try {
    return c.json({ received: true, outcome: await handle(deps) });
  } catch (cause) {
    const reason = finalRefusal(cause, hasOwnKeys);
    if (reason) {
      const { id, type, account } = event;
      const entry = { event_id: id, event_type: type, account, reason };
      deps.log.warn(entry, 'event not processed: Stripe refuses a call for it');
      return c.json({ received: true, outcome: 'refused', reason });
    }
    if (cause instanceof ConnectError && cause.type === 'unavailable') throw cause;
    throw new ConnectError('unavailable', 'The event could not be processed. Send it again.', {
      cause,
    });
  }
}

/** Finds the account and the signing secret of an organization with own Stripe keys. */
async function findEndpoint({ db, keyEncrypter }: RequestDeps, organizationId: string) {
  if (!isId(organizationId)) return undefined;
  const row = await forOrganization(db, organizationId)
    .selectFrom('stripe_key')
    .innerJoin('organization', 'organization.id', 'stripe_key.organization_id')
    .select(['organization.processor_account_id as account', 'livemode'])
    .select('encrypted_webhook_secret')
    .executeTakeFirst();
  const secret =
    row?.encrypted_webhook_secret &&
    (await keyEncrypter.decrypt(row.encrypted_webhook_secret, webhookSecretOf(organizationId)));
  if (!row?.account || !secret) return undefined;
  return { account: row.account, livemode: row.livemode, secret };
}
