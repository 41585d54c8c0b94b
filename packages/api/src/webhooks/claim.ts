import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import type { EncryptedSecrets } from './secrets.ts';
import type { DisabledReason } from './tables.ts';

/** One attempt that this process has to make. */
export interface Claim extends EncryptedSecrets {
  id: string;
  endpoint_id: string;
  event_id: string;
  /** Of this attempt; 1 is the first. Whoever settles it must name it. */
  attempts: number;
  /** Attempts that do not count for the schedule, because it was begun anew after them. */
  attempts_before: number;
  url: string;
  body: string;
  /** Why nothing is sent to this endpoint any more. */
  disabled: DisabledReason | null;
}

export interface ClaimOptions {
  /** Endpoints that failed or were slow when last tried, or the others. */
  slow: boolean;
  /** Attempts to claim at most. */
  slots: number;
  /** Attempts that one endpoint may have under way, in all processes together. */
  perEndpoint: number;
  /** Afterwards the process counts as dead and its attempts are claimed again. */
  leaseMs: number;
}

/**
 * Takes deliveries whose time has come, for this process alone.
 *
 * - `waiting` visits each endpoint that has something pending once, by the index, however much
 *   that is: an endpoint with a million notices to come costs what one with a single notice does.
 * - An endpoint with its fill of attempts under way is passed over, so that one that hangs takes
 *   `perEndpoint` slots and no more.
 * - `skip locked` lets any number of processes claim at once; none waits, none gets the same row.
 * - The attempt is counted when it is claimed. A process that dies has used it up, and a receiver
 *   that kills us would be tried ten times and not for ever.
 */
export async function claim(db: Db, options: ClaimOptions): Promise<Claim[]> {
  const { slow, slots, perEndpoint, leaseMs } = options;
  const { rows } = await sql<Claim>`
    with recursive waiting as (
      (select d.endpoint_id, d.next_attempt_at from webhook_delivery d
        where d.status = 'pending' and (d.leased_until is null or d.leased_until <= now())
        order by d.endpoint_id, d.next_attempt_at limit 1)
      union all
      select following.* from waiting cross join lateral (
        select d.endpoint_id, d.next_attempt_at from webhook_delivery d
        where d.status = 'pending' and (d.leased_until is null or d.leased_until <= now())
          and d.endpoint_id > waiting.endpoint_id
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
        where d.endpoint_id = ready.id and d.status = 'pending' and d.next_attempt_at <= now()
          and (d.leased_until is null or d.leased_until <= now())
        order by d.next_attempt_at
        limit greatest(0, ${perEndpoint} - ${countInFlight('ready.id')})
        for update skip locked) mine
      limit ${slots}
    )
    update webhook_delivery d
    set attempts = d.attempts + 1, leased_until = now() + ${`${leaseMs} ms`}::interval
    from due, webhook_endpoint e, webhook_event v
    where d.id = due.id and e.id = d.endpoint_id and v.id = d.event_id
    returning d.id, d.endpoint_id, d.event_id, d.attempts, d.attempts_before, e.url, v.body,
      e.sealed_secret, e.sealed_previous_secret, e.previous_secret_until,
      case when ${isCredentialActive('e')} then e.disabled_reason else 'revoked' end as disabled`.execute(
    db,
  );
  return rows;
}

/**
 * An endpoint ends with the API key, or the connected app, that made it, if one did.
 *
 * An app hears of an organization as long as a member who let it may still do so: the rule of
 * `grantable` in `users/membership.ts`, here for `webhooks:write`.
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
