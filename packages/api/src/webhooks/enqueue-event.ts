import type { EventType, WebhookEvent } from '@connect-embed/contract';
import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import { newId } from '../id.ts';

/** Something that happened, for whoever asked to be told. */
export interface NewWebhookEvent {
  type: EventType;
  organizationId: string;
  /** What it happened to. */
  related: { id: string; object: string };
  /** Where that is read, below `/api/v1`. */
  path: string;
}

/** A gift was recorded, returned or disputed. */
export const donationEvent = (
  type: Extract<EventType, `donation.${string}`>,
  organizationId: string,
  id: string,
): NewWebhookEvent => ({
  type,
  organizationId,
  related: { id, object: 'donation' },
  path: `/donations/${id}`,
});

/** A payout is on its way, has arrived or came back. */
export const payoutEvent = (
  type: Extract<EventType, `payout.${string}`>,
  organizationId: string,
  id: string,
): NewWebhookEvent => ({
  type,
  organizationId,
  related: { id, object: 'payout' },
  path: `/payouts/${id}`,
});

/** A registration became confirmed (not: was begun), or was refunded. They are read by event. */
export const registrationEvent = (
  type: Extract<EventType, `registration.${string}`>,
  organizationId: string,
  { id, event_id }: { id: string; event_id: string },
): NewWebhookEvent => ({
  type,
  organizationId,
  related: { id, object: 'registration' },
  path: `/events/${event_id}/registrations`,
});

/** Puts a notice on its way, inside the transaction that makes it true. */
export type EnqueueEvent = (tx: Db, newEvent: NewWebhookEvent) => Promise<void>;

export interface EventOptions {
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
export const createEnqueueEvent =
  (options: EventOptions): EnqueueEvent =>
  async (tx, newEvent) => {
    const event = await saveEvent(tx, newEvent, options);
    // Locked, or an endpoint that is deleted meanwhile would undo the caller's transaction.
    const endpoints = await tx
      .selectFrom('webhook_endpoint')
      .select('id')
      .where('organization_id', '=', newEvent.organizationId)
      .where('disabled_at', 'is', null)
      .where(sql<boolean>`${newEvent.type} = any(events)`)
      .forKeyShare()
      .execute();
    if (endpoints.length === 0) return;
    const deliveries = endpoints.map(({ id }) => newDelivery(event, id));
    await tx.insertInto('webhook_delivery').values(deliveries).execute();
  };

/** Writes the event down as it will be sent: every attempt signs the same bytes. */
export async function saveEvent(
  tx: Db,
  { type, organizationId, related, path }: NewWebhookEvent,
  { baseUrl, livemode }: EventOptions,
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

export const newDelivery = (event: WebhookEvent, endpointId: string) => ({
  id: newId('whd'),
  organization_id: event.organization_id,
  endpoint_id: endpointId,
  event_id: event.id,
  event_type: event.type,
});
