import { ConnectError } from '@connect-embed/contract';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type Stripe from 'stripe';
import type { Deps, Env } from '../app.ts';
import { recordDonation } from '../record-donation.ts';
import { recordFailure } from '../record-failure.ts';
import { donationNotice } from '../webhooks/notice.ts';

/** Events carry whole objects of the processor and are larger than anything that callers send. */
const MAX_EVENT_BYTES = 1024 * 1024;

type Outcome = 'recorded' | 'duplicate' | 'ignored';

/**
 * `POST /processor-events`: the processor reports, and only what it reports is a donation.
 *
 * Events come late, twice and in any order, so each says only where to look: the gift itself is
 * asked for. Whatever goes wrong is answered 503, and the processor sends the event again.
 */
export const processorEvents = (deps: Deps) =>
  new Hono<Env>().post(
    '/',
    bodyLimit({ maxSize: MAX_EVENT_BYTES, onError: tooLarge }),
    async (c) => {
      const signature = c.req.header('stripe-signature') ?? '';
      const event = await deps.processor.readEvent(await c.req.text(), signature);
      c.set('event', { id: event.id, type: event.type });
      try {
        return c.json({ received: true, outcome: await handle(deps, event) });
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

async function handle(deps: Deps, event: Stripe.Event): Promise<Outcome> {
  switch (event.type) {
    case 'payment_intent.succeeded':
    case 'payment_intent.payment_failed': {
      const organizationId = await ownerOf(deps, event.account, event.data.object);
      if (!organizationId) return 'ignored';
      return event.type === 'payment_intent.succeeded'
        ? await handleSucceeded(deps, organizationId, event)
        : await handleFailed(deps, organizationId, event);
    }
    default:
      return 'ignored';
  }
}

/**
 * The organization whose gift an event is about. An account also takes payments that are none of
 * ours, and tells of them: only an intent that names the organization of its account is a gift.
 */
async function ownerOf(
  { db }: Deps,
  account: string | undefined,
  intent: Stripe.PaymentIntent,
): Promise<string | undefined> {
  const claimed = intent.metadata['organization_id'];
  if (!account || !claimed) return undefined;
  const row = await db
    .selectFrom('organization')
    .select('id')
    .where('processor_account_id', '=', account)
    .where('id', '=', claimed)
    .executeTakeFirst();
  return row?.id;
}

async function handleSucceeded(
  { db, processor, webhooks }: Deps,
  organizationId: string,
  event: Stripe.PaymentIntentSucceededEvent,
): Promise<Outcome> {
  if (await isKnown(db, event.id)) return 'duplicate';
  // Asked before the transaction: no connection waits for the processor.
  const gift = await processor.retrievePaidGift(event.data.object.id, event.account ?? '');
  return await db.transaction().execute(async (tx): Promise<Outcome> => {
    if (!(await keepEvent(tx, organizationId, event))) return 'duplicate';
    const id = await recordDonation(tx, organizationId, gift);
    if (!id) return 'duplicate';
    await webhooks.enqueue(tx, donationNotice('donation.created', organizationId, id));
    return 'recorded';
  });
}

const handleFailed = (
  { db }: Deps,
  organizationId: string,
  event: Stripe.PaymentIntentPaymentFailedEvent,
): Promise<Outcome> =>
  db.transaction().execute(async (tx): Promise<Outcome> => {
    if (!(await keepEvent(tx, organizationId, event))) return 'duplicate';
    await recordFailure(tx, organizationId, event);
    return 'recorded';
  });

const isKnown = (db: Deps['db'], id: string) =>
  db.selectFrom('processor_event').select('id').where('id', '=', id).executeTakeFirst();

/** @returns undefined when another delivery of the same event was first */
const keepEvent = (tx: Deps['db'], organizationId: string, { id, type }: Stripe.Event) =>
  tx
    .insertInto('processor_event')
    .values({ id, type, organization_id: organizationId })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst();
