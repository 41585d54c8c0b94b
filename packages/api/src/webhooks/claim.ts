import { sql } from 'kysely';
import { IS_UNCLAIMED, leaseEnd, type Lease } from '../db/leases.ts';
import type { Db } from '../db/schema.ts';
import type { EncryptedSecrets } from './secrets.ts';
import type { DisabledReason } from '../db/tables/webhooks.ts';

/** A webhook delivery that this process has claimed for one attempt. */
export interface Claim extends Lease, EncryptedSecrets {
  endpoint_id: string;
  event_id: string;
  /**
   * Number of attempts before the last redelivery. The restarted retry schedule does not count them.
   */
  attempts_before_redelivery: number;
  url: string;
  /** Whether the endpoint was in the slow lane. */
  slow: boolean;
  body: string;
  /** Why the endpoint is disabled; null if it is not. */
  disabled: DisabledReason | null;
}

interface ClaimOptions {
  /** True for endpoints whose last attempt failed or was slow, and for new ones; false for the others. */
  slow: boolean;
  /** Maximum number of deliveries to claim. */
  slots: number;
  /** Maximum number of simultaneous attempts to one endpoint, in all processes. */
  perEndpoint: number;
  /**
   * Duration of the lease in milliseconds. When it has expired, the worker counts as dead and the
   * delivery can be claimed again.
   */
  leaseMs: number;
}

/**
 * Claims due deliveries for this process.
 *
 * - `waiting` visits each endpoint with pending deliveries once, by the index: an endpoint with a
 *   million pending deliveries costs as much as one with a single one.
 * - An endpoint with `perEndpoint` running attempts is skipped, so that one that hangs takes no
 *   further slots.
 * - With `skip locked` any number of processes can claim at the same time, without waiting and without
 *   getting the same row.
 * - An attempt is counted when it is claimed, so that an attempt during which the worker crashes is
 *   counted, too.
 */
export async function claim(db: Db, options: ClaimOptions): Promise<Claim[]> {
  const { slow, slots, perEndpoint, leaseMs } = options;
  const { rows } = await sql<Claim>`
    with recursive waiting as (
      (select d.endpoint_id, d.next_attempt_at from webhook_delivery d
        where ${IS_UNCLAIMED}
        order by d.endpoint_id, d.next_attempt_at limit 1)
      union all
      select following.* from waiting cross join lateral (
        select d.endpoint_id, d.next_attempt_at from webhook_delivery d
        where ${IS_UNCLAIMED} and d.endpoint_id > waiting.endpoint_id
        order by d.endpoint_id, d.next_attempt_at limit 1) following
    ),
    ready as (
      select e.id from waiting join webhook_endpoint e on e.id = waiting.endpoint_id
      where waiting.next_attempt_at <= now() and e.slow = ${slow}
        and ${countInFlight('e.id')} < ${perEndpoint}
      order by waiting.next_attempt_at limit ${slots}
      for no key update of e skip locked
    ),
    due as (
      select mine.id from ready cross join lateral (
        select d.id from webhook_delivery d
        where d.endpoint_id = ready.id and d.next_attempt_at <= now() and ${IS_UNCLAIMED}
        order by d.next_attempt_at
        limit greatest(0, ${perEndpoint} - ${countInFlight('ready.id')})
        for update skip locked) mine
      limit ${slots}
    )
    update webhook_delivery d
    set attempts = d.attempts + 1, leased_until = ${leaseEnd(leaseMs)}
    from due, webhook_endpoint e, webhook_event v
    where d.id = due.id and e.id = d.endpoint_id and v.id = d.event_id
    returning d.id, d.endpoint_id, d.event_id, d.attempts, d.attempts_before_redelivery, e.url, e.slow, v.body,
      e.encrypted_secret, e.encrypted_previous_secret, e.previous_secret_until,
      case when ${isCredentialActive('e')} then e.disabled_reason else 'revoked' end as disabled`.execute(
    db,
  );
  return rows;
}

/**
 * SQL condition: the API key or connected app that created the endpoint is still valid, or it belongs
 * to the organization.
 *
 * An app receives events of an organization as long as the member who approved it has the permission:
 * the rule of `heldScopes` in `users/membership.ts`, here for `webhooks:write`.
 */
export const isCredentialActive = (endpoint: 'e' | 'webhook_endpoint') => {
  const id = sql.ref(`${endpoint}.credential_id`);
  return sql<boolean>`(
    ${id} is null
    or exists (select from api_key k where k.id = ${id} and k.revoked_at is null)
    or exists (
      select from oauth_connection c
        join oauth_grant g on g.connection_id = c.id
        join membership m on m.person_id = g.person_id and m.organization_id = c.organization_id
      where c.id = ${id} and c.revoked_at is null and 'webhooks:write' = any(g.scopes)
        and (m.role = 'owner' or m.role = 'admin' and 'webhooks:write' = any(m.permissions))))`;
};

const countInFlight = (endpoint: string) =>
  sql<number>`(select count(*) from webhook_delivery b
    where b.endpoint_id = ${sql.ref(endpoint)} and b.leased_until > now())`;
