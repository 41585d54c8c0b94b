import { sql, type Selectable } from 'kysely';
import { forOrganization } from '../db/organization-scope.ts';
import type { Db, Database } from '../db/schema.ts';
import { findById } from '../lib/id.ts';
import { isCredentialActive } from './claim.ts';
import type { EndpointKey } from './endpoints.ts';

/** An endpoint as the dashboard of its organization shows it. */
export type OrganizationEndpoint = Selectable<Database['webhook_endpoint']> & {
  /** Name of the API key or app that created it. Null if it was created in the dashboard. */
  creator_name: string | null;
  /** Whether an app created it: the organization can pause it, but not change its URL or secret. */
  is_created_by_app: boolean;
  /** Whether the credential that created it is valid. True for an endpoint of the organization. */
  is_credential_active: boolean;
  /** Error of the latest attempt; null if it succeeded. */
  last_error: string | null;
  last_attempt_at: Date | null;
};

/**
 * Selects every endpoint that receives events of an organization.
 *
 * A credential manages only its own endpoints (spec: Write and webhook endpoints). The organization
 * sees all of them in the dashboard and can pause each.
 */
export const selectOrganizationEndpoints = (db: Db, organizationId: string) =>
  forOrganization(db, organizationId)
    .selectFrom('webhook_endpoint')
    .leftJoin('api_key', 'api_key.id', 'webhook_endpoint.credential_id')
    .leftJoin('oauth_connection', 'oauth_connection.id', 'webhook_endpoint.credential_id')
    .leftJoin('oauth_app', 'oauth_app.id', 'oauth_connection.app_id')
    .selectAll('webhook_endpoint')
    .select([
      sql<string | null>`coalesce(api_key.name, oauth_app.name)`.as('creator_name'),
      sql<boolean>`oauth_connection.id is not null`.as('is_created_by_app'),
      isCredentialActive('webhook_endpoint').as('is_credential_active'),
      latestAttempt<string | null>('error').as('last_error'),
      latestAttempt<Date | null>('started_at').as('last_attempt_at'),
    ]);

const latestAttempt = <Value>(column: 'error' | 'started_at') =>
  sql<Value>`(select ${sql.ref(`a.${column}`)} from webhook_delivery d
    join webhook_attempt a on a.delivery_id = d.id
    where d.endpoint_id = webhook_endpoint.id
    order by d.created_at desc, d.id desc, a.number desc limit 1)`;

/** @throws {ConnectError} `not_found`, also for an endpoint of another organization */
export async function findOrganizationEndpoint(
  db: Db,
  organizationId: string,
  id: string,
): Promise<OrganizationEndpoint> {
  return await findById(
    'webhook_endpoint',
    id,
    selectOrganizationEndpoints(db, organizationId).where('webhook_endpoint.id', '=', id),
  );
}

/**
 * Loads a delivery with the body of its event and its attempts, newest first.
 *
 * @throws {ConnectError} `not_found`
 */
export async function findDelivery(db: Db, endpoint: EndpointKey, id: string) {
  const delivery = await findById(
    'webhook_delivery',
    id,
    forOrganization(db, endpoint.organization_id)
      .selectFrom('webhook_delivery')
      .innerJoin('webhook_event', 'webhook_event.id', 'webhook_delivery.event_id')
      .selectAll('webhook_delivery')
      .select('webhook_event.body')
      .where('webhook_delivery.endpoint_id', '=', endpoint.id)
      .where('webhook_delivery.id', '=', id),
  );
  const attempts = await db
    .selectFrom('webhook_attempt')
    .selectAll()
    .where('delivery_id', '=', id)
    .orderBy('number', 'desc')
    .execute();
  return { delivery, attempts };
}
