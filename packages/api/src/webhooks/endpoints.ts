import {
  ConnectError,
  invalidRequest,
  type CreateWebhookEndpoint,
  type UpdateWebhookEndpoint,
  type WebhookDelivery,
  type WebhookEndpoint,
} from '@connect-embed/contract';
import { sql, type Selectable } from 'kysely';
import { forOrganization } from '../db/organization-scope.ts';
import type { Credential } from '../http/credential.ts';
import type { Db, Database } from '../db/schema.ts';
import { findById, newId } from '../lib/id.ts';
import { RefusedUrlError, type PublicHosts } from './public-host.ts';

/** Maximum number of endpoints of one credential. Every event is sent to each endpoint with its type. */
export const MAX_ENDPOINTS = 20;

export type EndpointRow = Selectable<Database['webhook_endpoint']>;

/** The columns that identify an endpoint. */
export type EndpointKey = Pick<EndpointRow, 'id' | 'organization_id'>;

/** Lists the endpoints of a credential, newest first. */
export const listEndpoints = (db: Db, credential: Credential) =>
  forOrganization(db, credential.organization.id)
    .selectFrom('webhook_endpoint')
    .selectAll()
    .where('credential_id', '=', credential.id)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();

/** @throws {ConnectError} `not_found`, also for an endpoint of another credential */
export async function findEndpoint(
  db: Db,
  credential: Credential,
  id: string,
): Promise<EndpointRow> {
  return await findById(
    'webhook_endpoint',
    id,
    forOrganization(db, credential.organization.id)
      .selectFrom('webhook_endpoint')
      .selectAll()
      .where('credential_id', '=', credential.id)
      .where('id', '=', id),
  );
}

/** The owner of an endpoint: a credential, or the organization itself if `credentialId` is null. */
interface EndpointOwner {
  organizationId: string;
  credentialId: string | null;
}

/** @throws {ConnectError} `conflict` if the owner has MAX_ENDPOINTS already */
export const createEndpoint = (
  db: Db,
  { organizationId, credentialId }: EndpointOwner,
  { url, events, description }: CreateWebhookEndpoint,
  encryptedSecret: string,
): Promise<EndpointRow> =>
  db.transaction().execute(async (tx) => {
    // Serializes creations of one owner, so that simultaneous requests cannot exceed the limit.
    const lock = `webhook_endpoint of ${credentialId ?? organizationId}`;
    await sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(tx);
    const { count } = await forOrganization(tx, organizationId)
      .selectFrom('webhook_endpoint')
      .select(({ fn }) => fn.countAll().as('count'))
      .where(sql<boolean>`credential_id is not distinct from ${credentialId}`)
      .executeTakeFirstOrThrow();
    if (Number(count) >= MAX_ENDPOINTS) {
      const message = `${credentialId ? 'A credential' : 'An organization'} can have at most ${MAX_ENDPOINTS} webhook endpoints. Delete one first.`;
      throw new ConnectError('conflict', message, { code: 'limit_reached' });
    }
    return await forOrganization(tx, organizationId)
      .insertInto('webhook_endpoint', {
        id: newId('we'),
        credential_id: credentialId,
        url,
        description: description ?? null,
        events: [...new Set(events)],
        encrypted_secret: encryptedSecret,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
  });

/**
 * Changes the given fields.
 *
 * A change enables an endpoint that was disabled after failures. An endpoint that was paused in the
 * dashboard stays paused: an app must not override its organization.
 */
export const updateEndpoint = (
  db: Db,
  { id, organization_id }: EndpointKey,
  { url, events, description }: UpdateWebhookEndpoint,
) =>
  forOrganization(db, organization_id)
    .updateTable('webhook_endpoint')
    .set({
      ...(url !== undefined && { url }),
      ...(events && { events: [...new Set(events)] }),
      ...(description !== undefined && { description }),
      ...HEALTHY,
      disabled_at: sql`case when disabled_reason = 'paused' then disabled_at end`,
      disabled_reason: sql`case when disabled_reason = 'paused' then disabled_reason end`,
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();

/** Enables an endpoint, whatever disabled it. */
export const enableEndpoint = (db: Db, { id, organization_id }: EndpointKey) =>
  forOrganization(db, organization_id)
    .updateTable('webhook_endpoint')
    .set({ ...HEALTHY, disabled_at: null, disabled_reason: null })
    .where('id', '=', id)
    .execute();

/** @returns false if the endpoint did not exist */
export async function deleteEndpoint(
  db: Db,
  { id, organization_id }: EndpointKey,
): Promise<boolean> {
  const deleting = forOrganization(db, organization_id)
    .deleteFrom('webhook_endpoint')
    .where('id', '=', id);
  return (await deleting.executeTakeFirst()).numDeletedRows > 0n;
}

const HEALTHY = {
  failing_since: null,
  last_failed_at: null,
} as const;

/**
 * @throws {ConnectError} `invalid_request` with param `url`; the message does not contain the resolved
 * addresses
 */
export async function checkUrl(hosts: PublicHosts, url: string | undefined): Promise<void> {
  if (url === undefined) return;
  await hosts.check(url).catch((cause: unknown) => {
    if (cause instanceof RefusedUrlError) throw invalidRequest('url', cause.message);
    throw cause;
  });
}

export const toEndpoint = (row: EndpointRow): WebhookEndpoint => ({
  id: row.id,
  object: 'webhook_endpoint',
  url: row.url,
  description: row.description,
  events: row.events as WebhookEndpoint['events'],
  created_at: row.created_at.toISOString(),
});

export const toDelivery = (row: Selectable<Database['webhook_delivery']>): WebhookDelivery => ({
  id: row.id,
  object: 'webhook_delivery',
  event_type: row.event_type as WebhookDelivery['event_type'],
  event_id: row.event_id,
  status: row.status,
  attempts: row.attempts,
  last_response_status: row.last_response_status,
  last_error: row.last_error,
  next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
  delivered_at: row.delivered_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
});
