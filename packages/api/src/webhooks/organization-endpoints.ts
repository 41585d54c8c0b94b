import { notFound } from '@connect-embed/contract';
import { sql, type Selectable } from 'kysely';
import type { Db } from '../db/database.ts';
import type { Database } from '../db/schema.ts';
import { isId } from '../id.ts';
import { isCredentialActive } from './claim.ts';

/** An endpoint as the organization sees it that it belongs to, whoever made it. */
export type OrganizationEndpoint = Selectable<Database['webhook_endpoint']> & {
  /** Name of the API key or app that made it; null when it was made in the dashboard. */
  made_by: string | null;
  /** An app's: the organization may stop it, but its address and secret are the app's. */
  of_app: boolean;
  /** Whether the credential that made it still lives; without one it always does. */
  lives: boolean;
  /** What went wrong when last tried; null when nothing did. */
  last_error: string | null;
  last_tried_at: Date | null;
};

/**
 * Every endpoint that receives notices of an organization.
 *
 * A credential manages only its own endpoints (spec: Write and webhook endpoints); the organization, whose data
 * it is, sees all of them here and can stop each.
 */
export const selectOrganizationEndpoints = (db: Db, organizationId: string) =>
  db
    .selectFrom('webhook_endpoint')
    .leftJoin('api_key', 'api_key.id', 'webhook_endpoint.credential_id')
    .leftJoin('oauth_connection', 'oauth_connection.id', 'webhook_endpoint.credential_id')
    .leftJoin('oauth_app', 'oauth_app.id', 'oauth_connection.app_id')
    .where('webhook_endpoint.organization_id', '=', organizationId)
    .selectAll('webhook_endpoint')
    .select([
      sql<string | null>`coalesce(api_key.name, oauth_app.name)`.as('made_by'),
      sql<boolean>`oauth_connection.id is not null`.as('of_app'),
      isCredentialActive('webhook_endpoint').as('lives'),
      latestAttempt<string | null>('error').as('last_error'),
      latestAttempt<Date | null>('started_at').as('last_tried_at'),
    ]);

const latestAttempt = <Value>(column: 'error' | 'started_at') =>
  sql<Value>`(select ${sql.ref(`a.${column}`)} from webhook_delivery d
    join webhook_attempt a on a.delivery_id = d.id
    where d.endpoint_id = webhook_endpoint.id
    order by d.created_at desc, d.id desc, a.number desc limit 1)`;

/** @throws {ConnectError} `not_found`, also for another organization's */
export async function findOrganizationEndpoint(
  db: Db,
  organizationId: string,
  id: string,
): Promise<OrganizationEndpoint> {
  const row =
    isId(id) &&
    (await selectOrganizationEndpoints(db, organizationId)
      .where('webhook_endpoint.id', '=', id)
      .executeTakeFirst());
  if (!row) throw notFound('webhook_endpoint', id);
  return row;
}

/** One notice on its way to an endpoint, with what was sent and each attempt, the newest first. */
export async function findDelivery(db: Db, endpointId: string, id: string) {
  const delivery =
    isId(id) &&
    (await db
      .selectFrom('webhook_delivery')
      .innerJoin('webhook_event', 'webhook_event.id', 'webhook_delivery.event_id')
      .selectAll('webhook_delivery')
      .select('webhook_event.body')
      .where('webhook_delivery.endpoint_id', '=', endpointId)
      .where('webhook_delivery.id', '=', id)
      .executeTakeFirst());
  if (!delivery) throw notFound('webhook_delivery', id);
  const attempts = await db
    .selectFrom('webhook_attempt')
    .selectAll()
    .where('delivery_id', '=', id)
    .orderBy('number', 'desc')
    .execute();
  return { delivery, attempts };
}
