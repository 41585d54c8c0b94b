import type { EventType, WebhookEvent } from '@connect-embed/contract';
import { sql } from 'kysely';
import { forOrganization } from '../db/organization-scope.ts';
import type { Db } from '../db/schema.ts';
import { newId } from '../lib/id.ts';

/** A webhook event before it is saved. */
interface NewWebhookEvent {
  type: EventType;
  organizationId: string;
  /** The resource that the event is about. */
  related: { id: string; object: string };
  /** Path of the resource below `/api/v1`. */
  path: string;
}

/** Creates the event of a recorded, refunded or disputed donation. */
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

/** Creates the event of a payout that was created, paid or has failed. */
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

/**
 * Creates the event of a registration that was confirmed or refunded. The path is its event's list,
 * because there is no route for a single registration.
 */
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

/** Enqueues an event in the transaction that changes its resource. */
export type EnqueueEvent = (tx: Db, newEvent: NewWebhookEvent) => Promise<void>;

export interface EventOptions {
  /** Public URL of this service. */
  baseUrl: string;
  livemode: boolean;
}

export interface EnqueueOptions {
  baseUrl: string;
  /** Whether real money moves: the same for all organizations, or found for each. */
  livemode: boolean | ((organizationId: string, tx: Db) => Promise<boolean>);
}

/**
 * Saves an event, and a pending delivery for every enabled endpoint with its type.
 *
 * The rows belong to the caller's transaction: an event is sent if and only if the transaction
 * commits.
 */
export const createEnqueueEvent =
  ({ baseUrl, livemode }: EnqueueOptions): EnqueueEvent =>
  async (tx, newEvent) => {
    const event = await saveEvent(tx, newEvent, {
      baseUrl,
      livemode:
        typeof livemode === 'boolean' ? livemode : await livemode(newEvent.organizationId, tx),
    });
    // Locked: if an endpoint were deleted in between, the insert would fail and roll back the
    // transaction.
    const endpoints = await forOrganization(tx, newEvent.organizationId)
      .selectFrom('webhook_endpoint')
      .select('id')
      .where('disabled_at', 'is', null)
      .where(sql<boolean>`${newEvent.type} = any(events)`)
      .forKeyShare()
      .execute();
    if (endpoints.length === 0) return;
    const deliveries = endpoints.map(({ id }) => newDelivery(event, id));
    await forOrganization(tx, newEvent.organizationId)
      .insertInto('webhook_delivery', deliveries)
      .execute();
  };

/** Saves the event as the text that is sent, so that every attempt signs the same bytes. */
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
  const row = { id: event.id, type, created_at };
  await forOrganization(tx, organizationId)
    .insertInto('webhook_event', { ...row, body: JSON.stringify(event) })
    .execute();
  return event;
}

export const newDelivery = (event: WebhookEvent, endpointId: string) => ({
  id: newId('whd'),
  endpoint_id: endpointId,
  event_id: event.id,
  event_type: event.type,
});
