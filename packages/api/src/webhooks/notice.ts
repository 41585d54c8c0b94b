import type { EventType, WebhookEvent } from '@connect-embed/contract';
import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import { newId } from '../id.ts';

/** Something that happened, for whoever asked to be told. */
export interface Notice {
  type: EventType;
  organizationId: string;
  /** What it happened to. */
  related: { id: string; object: string };
  /** Where that is read, below `/api/v1`. */
  path: string;
}

/** A gift was recorded, returned or disputed. */
export const donationNotice = (
  type: Extract<EventType, `donation.${string}`>,
  organizationId: string,
  id: string,
): Notice => ({
  type,
  organizationId,
  related: { id, object: 'donation' },
  path: `/donations/${id}`,
});

/** A payout is on its way, has arrived or came back. */
export const payoutNotice = (
  type: Extract<EventType, `payout.${string}`>,
  organizationId: string,
  id: string,
): Notice => ({ type, organizationId, related: { id, object: 'payout' }, path: `/payouts/${id}` });

/** A registration became confirmed (not: was begun), or was refunded. They are read by event. */
export const registrationNotice = (
  type: Extract<EventType, `registration.${string}`>,
  organizationId: string,
  { id, event_id }: { id: string; event_id: string },
): Notice => ({
  type,
  organizationId,
  related: { id, object: 'registration' },
  path: `/events/${event_id}/registrations`,
});

/** Puts a notice on its way, inside the transaction that makes it true. */
export type Enqueue = (tx: Db, notice: Notice) => Promise<void>;

export interface NoticeOptions {
  /** Where others reach this service. */
  baseUrl: string;
  livemode: boolean;
}

/**
 * One event, and one delivery for every endpoint that asked for its type.
 *
 * They are rows of the caller's transaction: what is rolled back was never told, and what is
 * committed will be.
 */
export const createEnqueue =
  (options: NoticeOptions): Enqueue =>
  async (tx, notice) => {
    const event = await keepEvent(tx, notice, options);
    // Locked, or an endpoint that is deleted meanwhile would undo the caller's transaction.
    const endpoints = await tx
      .selectFrom('webhook_endpoint')
      .select('id')
      .where('organization_id', '=', notice.organizationId)
      .where('disabled_at', 'is', null)
      .where(sql<boolean>`${notice.type} = any(events)`)
      .forKeyShare()
      .execute();
    if (endpoints.length === 0) return;
    const deliveries = endpoints.map(({ id }) => deliveryOf(event, id));
    await tx.insertInto('webhook_delivery').values(deliveries).execute();
  };

/** Writes the event down as it will be sent: every attempt signs the same bytes. */
export async function keepEvent(
  tx: Db,
  { type, organizationId, related, path }: Notice,
  { baseUrl, livemode }: NoticeOptions,
): Promise<WebhookEvent> {
  const created_at = new Date();
  const event: WebhookEvent = {
    id: newId('evt'),
    object: 'event',
    type,
    created_at: created_at.toISOString(),
    livemode,
    organization_id: organizationId,
    related_object: { ...related, url: `${baseUrl}/api/v1${path}` },
  };
  const row = { id: event.id, organization_id: organizationId, type, created_at };
  await tx
    .insertInto('webhook_event')
    .values({ ...row, body: JSON.stringify(event) })
    .execute();
  return event;
}

export const deliveryOf = (event: WebhookEvent, endpointId: string) => ({
  id: newId('whd'),
  organization_id: event.organization_id,
  endpoint_id: endpointId,
  event_id: event.id,
  event_type: event.type,
});
