import { ConnectError, type EventType, type WebhookDelivery } from '@connect-embed/contract';
import { sql, type Selectable } from 'kysely';
import { forOrganization } from '../db/organization-scope.ts';
import type { Db, Database } from '../db/schema.ts';
import { findById, newId } from '../lib/id.ts';
import { toDelivery } from './endpoints.ts';
import { createEvent, insertEvent, resourceKindOf } from './enqueue-event.ts';
import type { DisabledReason } from './save-outcome.ts';

type EndpointRow = Selectable<Database['webhook_endpoint']>;

/**
 * Sends a test event of a real type to one endpoint.
 *
 * It is never `livemode`, and its resource does not exist, so that the receiver does not process it as
 * a donation.
 *
 * @throws {ConnectError} `conflict` if the endpoint is disabled
 */
export async function sendTestEvent(
  db: Db,
  endpoint: EndpointRow,
  type: EventType,
  { baseUrl }: { baseUrl: string },
): Promise<WebhookDelivery> {
  requireEnabled(endpoint);
  const object = resourceKindOf(type);
  const testEvent = {
    type,
    organizationId: endpoint.organization_id,
    related: { id: 'test', object },
    path: `/${object}s/test`,
  };
  return await db.transaction().execute(async (tx) => {
    const event = createEvent(testEvent, { baseUrl, livemode: false });
    await insertEvent(tx, event, JSON.stringify(event)).execute();
    const row = await forOrganization(tx, endpoint.organization_id)
      .insertInto('webhook_delivery', {
        id: newId('whd'),
        endpoint_id: endpoint.id,
        event_id: event.id,
        event_type: event.type,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    return toDelivery(row);
  });
}

/**
 * Sends an event again at once, whatever its status, and restarts the retry schedule.
 *
 * @throws {ConnectError} `not_found`, or `conflict` while it is being sent or if the endpoint is
 * disabled
 */
export async function redeliver(
  db: Db,
  endpoint: EndpointRow,
  deliveryId: string,
): Promise<WebhookDelivery> {
  const isDelivery = (id: string) => sql<boolean>`(id = ${id} and endpoint_id = ${endpoint.id})`;
  await findById(
    'webhook_delivery',
    deliveryId,
    forOrganization(db, endpoint.organization_id)
      .selectFrom('webhook_delivery')
      .select('id')
      .where(isDelivery(deliveryId)),
  );
  requireEnabled(endpoint);
  const row = await forOrganization(db, endpoint.organization_id)
    .updateTable('webhook_delivery')
    .set({
      status: 'pending',
      attempts_before_redelivery: sql`attempts`,
      next_attempt_at: sql`clock_timestamp()`,
      delivered_at: null,
    })
    .where(isDelivery(deliveryId))
    .where(sql<boolean>`(leased_until is null or leased_until <= now())`)
    .returningAll()
    .executeTakeFirst();
  if (!row) throw new ConnectError('conflict', 'The event is being sent at the moment.');
  return toDelivery(row);
}

function requireEnabled({ disabled_reason: reason }: EndpointRow): void {
  if (!reason) return;
  throw new ConnectError('conflict', `The endpoint is disabled: ${DISABLED_MESSAGES[reason]}`);
}

const DISABLED_MESSAGES: Record<DisabledReason, string> = {
  gone: 'it responded 410. Edit it to enable it.',
  failing: 'it failed for several days. Edit it to enable it.',
  revoked: 'the credential that created it was revoked.',
  paused: 'it was turned off. Turn it on in the dashboard.',
};
