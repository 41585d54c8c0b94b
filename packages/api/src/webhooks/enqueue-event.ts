import type { EventType, WebhookEvent } from '@connect-embed/contract';
import { sql, type Expression, type QueryCreator } from 'kysely';
import { acrossOrganizations, forOrganization } from '../db/organization-scope.ts';
import type { Database, Db } from '../db/schema.ts';
import { newId } from '../lib/id.ts';

interface NewWebhookEvent {
  type: EventType;
  organizationId: string;
  /** The resource that the event is about. */
  related: { id: string; object: string };
  /** Path of the resource below `/api/v1`. */
  path: string;
  /** The connected app that the event is about: other apps and API keys do not receive it. */
  connectionId?: string;
  /** Whether the resource is live; undefined for one that is neither live nor a test. */
  livemode?: boolean | undefined;
}

/** The kind of resource that events of a type are about. */
export const resourceKindOf = (type: EventType): string => type.slice(0, type.indexOf('.'));

/** Creates the event of a donation or payout that was created or has changed. */
export const resourceEvent = (
  type: Extract<EventType, `${'donation' | 'payout'}.${string}`>,
  organizationId: string,
  id: string,
  livemode?: boolean,
): NewWebhookEvent => {
  const object = resourceKindOf(type);
  return { type, organizationId, livemode, related: { id, object }, path: `/${object}s/${id}` };
};

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

/** Creates the event of an app that was disconnected. Its path is the organization: a connection has no route. */
export const connectionEvent = (organizationId: string, connectionId: string): NewWebhookEvent => ({
  type: 'connection.revoked',
  organizationId,
  related: { id: connectionId, object: 'connection' },
  path: '/organization',
  connectionId,
});

/** Enqueues an event in the transaction that changes its resource. */
export type EnqueueEvent = (tx: Db, newEvent: NewWebhookEvent) => Promise<void>;

export interface EnqueueOptions {
  /** Public URL of this service. */
  baseUrl: string;
  /**
   * The mode of an event whose resource is neither live nor a test: the same for all organizations, or an SQL expression
   * for each.
   */
  livemode: boolean | ((organizationId: string) => Expression<boolean>);
}

/**
 * Saves an event, and a pending delivery for every enabled endpoint with its type, in one statement.
 *
 * The rows belong to the caller's transaction: an event is sent if and only if the transaction
 * commits.
 */
export const createEnqueueEvent =
  ({ baseUrl, livemode }: EnqueueOptions): EnqueueEvent =>
  async (tx, newEvent) => {
    const { organizationId, type, connectionId } = newEvent;
    const event = createEvent(newEvent, { baseUrl, livemode: false });
    const [testBody, liveBody] = [event, { ...event, livemode: true }].map((body) =>
      JSON.stringify(body),
    );
    const mode = newEvent.livemode ?? livemode;
    const isLive = typeof mode === 'boolean' ? sql.val(mode) : mode(organizationId);
    const body = sql<string>`case when ${isLive} then ${liveBody} else ${testBody} end`;
    const withReceivers = tx
      .with('event', (query) => insertEvent(query, event, body))
      // Locked: if an endpoint were deleted in between, the insert would fail and roll back the
      // transaction.
      .with('receiver', (query) =>
        forOrganization(query, organizationId)
          .selectFrom('webhook_endpoint')
          .select('id')
          .where('disabled_at', 'is', null)
          .where(sql<boolean>`${type} = any(events)`)
          .$if(connectionId !== undefined, (receivers) =>
            receivers.where(
              sql<boolean>`coalesce(credential_id, ${connectionId}) = ${connectionId}`,
            ),
          )
          .forKeyShare(),
      );
    await acrossOrganizations(withReceivers)
      .insertInto('webhook_delivery')
      .columns(['id', 'organization_id', 'endpoint_id', 'event_id', 'event_type'])
      .expression((eb) =>
        eb
          .selectFrom('receiver')
          .select([
            sql<string>`'whd_' || replace(gen_random_uuid()::text, '-', '')`.as('id'),
            sql.val(organizationId).as('organization_id'),
            'receiver.id as endpoint_id',
            sql.val(event.id).as('event_id'),
            sql.val(type).as('event_type'),
          ]),
      )
      .execute();
  };

/** Creates an event as it is sent. */
export const createEvent = (
  { type, organizationId, related, path }: NewWebhookEvent,
  { baseUrl, livemode }: { baseUrl: string; livemode: boolean },
): WebhookEvent => ({
  id: newId('evt'),
  object: 'event',
  type,
  created_at: new Date().toISOString(),
  livemode,
  organization_id: organizationId,
  related_object: { ...related, url: `${baseUrl}/api/v1${path}` },
});

/**
 * Returns the statement that saves an event.
 *
 * @param body the event as the text that is sent, so that every attempt signs the same bytes
 */
export const insertEvent = (
  query: QueryCreator<Database>,
  { id, type, created_at, organization_id }: WebhookEvent,
  body: string | Expression<string>,
) =>
  forOrganization(query, organization_id).insertInto('webhook_event', {
    id,
    type,
    created_at: new Date(created_at),
    body,
  });
