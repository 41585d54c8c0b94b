import { sql, type RawBuilder } from 'kysely';
import { IS_UNCLAIMED, leaseEnd, type Lease } from '../db/leases.ts';
import type { Database, Db } from '../db/schema.ts';
import type { EncryptedSecrets } from './secrets.ts';
import type { Outcome } from './send.ts';

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
  disabled: Database['webhook_endpoint']['disabled_reason'];
}

interface LaneOptions {
  /** True for endpoints whose last attempt failed or was slow, and for new ones; false for the others. */
  slow: boolean;
  /** Maximum number of simultaneous attempts to one endpoint, in all processes. */
  perEndpoint: number;
  /** The same for an endpoint that responds quickly. */
  perQuickEndpoint: number;
  /**
   * Duration of the lease in milliseconds. When it has expired, the worker counts as dead and the
   * delivery can be claimed again.
   */
  leaseMs: number;
  now: () => Date;
}

interface FreeSlots {
  /** Maximum number of deliveries to claim. */
  slots: number;
  /** How many of them endpoints that respond quickly may have beyond `perEndpoint`; none if not positive. */
  extraSlots: number;
}

/** Interval of the full scan. A delivery that no other claim can find is late by at most this. */
const FULL_SCAN_MS = 60_000;
/** Interval of looking for further endpoints with due deliveries, while some are known. */
const LOOK_INTERVAL_MS = 100;
/** A transaction may commit this long after it has set `next_attempt_at`, without waiting for a full scan. */
const COMMIT_DELAY_MS = 2_000;
/** An attempt that takes longer ends what the endpoint has earned. */
const QUICK_MS = 1_000;

/** What a lane remembers of an endpoint with due deliveries. */
interface WaitingEndpoint {
  /** When the first of them became due, as PostgreSQL writes it. */
  earliest: string;
  /** Maximum number of simultaneous attempts. */
  limit: number;
}

/** A claimed delivery, or in one row all else that a claim returns. */
interface ClaimRow extends Claim {
  database_time: Date;
  /** When the first due delivery of each endpoint became due, by id; null if none is due. */
  earliest_due: Record<string, string> | null;
}

/**
 * Claims the due deliveries of one lane for this process.
 *
 * The lane remembers the endpoints with due deliveries, each with the earliest due time, so that a claim
 * begins behind the dead index entries of earlier deliveries, which PostgreSQL cannot remove while a long
 * transaction is open. It adds the endpoints whose deliveries have become due since it last looked. A full
 * scan, at the start and every minute, finds what it missed because a transaction committed late
 * (docs/decisions/0112-webhook-queue.md).
 *
 * - An endpoint with a million pending deliveries costs as much as one with a single one.
 * - An endpoint with as many running attempts as it may have is skipped, so that one that hangs takes no
 *   further slots. Each quick success allows it one attempt more while deliveries are due, any other
 *   outcome takes it back to `perEndpoint`.
 * - With `skip locked` any number of processes can claim at the same time, without waiting and without
 *   getting the same row.
 * - An attempt is counted when it is claimed, so that an attempt during which the worker crashes is
 *   counted, too.
 */
export class LaneClaims {
  readonly #db: Db;
  readonly #lane: LaneOptions;
  #waiting: ReadonlyMap<string, WaitingEndpoint> = new Map();
  /** All deliveries that were due at this time of the database have been seen. */
  #seenUntil = new Date(0);
  #lookedAtMs = -Infinity;
  #scannedAtMs = -Infinity;

  constructor(db: Db, lane: LaneOptions) {
    this.#db = db;
    this.#lane = lane;
  }

  async claim({ slots, extraSlots }: FreeSlots): Promise<Claim[]> {
    const startedMs = this.#lane.now().getTime();
    const isFullScan = startedMs - this.#scannedAtMs >= FULL_SCAN_MS;
    const isLooking =
      isFullScan ||
      this.#waiting.size === 0 ||
      performance.now() - this.#lookedAtMs >= LOOK_INTERVAL_MS;
    const known = knownEndpoints(this.#waiting);
    const candidates = isFullScan ? EVERY_ENDPOINT : withDueSince(this.#seenUntil, known);
    if (isLooking) this.#lookedAtMs = performance.now();
    const useEarned = extraSlots > 0;
    const { rows } = await claimOf(isLooking ? lookAt(candidates) : known, {
      ...this.#lane,
      slots: useEarned ? extraSlots : slots,
      limits: useEarned ? this.#earnedLimits() : {},
    }).execute(this.#db);
    if (isFullScan) this.#scannedAtMs = startedMs;
    if (isLooking) this.#remember(rows.find(({ id }) => id === null)!);
    return rows.filter(({ id }) => id !== null);
  }

  /** Changes how many simultaneous attempts the endpoint may have. */
  recordOutcome(endpointId: string, { error, durationMs }: Outcome): void {
    const endpoint = this.#waiting.get(endpointId);
    if (!endpoint) return;
    const { perEndpoint, perQuickEndpoint } = this.#lane;
    const isQuick = error === null && durationMs <= QUICK_MS;
    endpoint.limit = isQuick ? Math.min(perQuickEndpoint, endpoint.limit + 1) : perEndpoint;
  }

  #remember({ database_time, earliest_due }: ClaimRow): void {
    this.#seenUntil = new Date(database_time.getTime() - COMMIT_DELAY_MS);
    const limitOf = (id: string) => this.#waiting.get(id)?.limit ?? this.#lane.perEndpoint;
    const due = Object.entries(earliest_due ?? {});
    this.#waiting = new Map(due.map(([id, earliest]) => [id, { earliest, limit: limitOf(id) }]));
  }

  #earnedLimits(): Record<string, number> {
    const limits = [...this.#waiting].map(([id, { limit }]) => [id, limit] as const);
    return Object.fromEntries(limits.filter(([, limit]) => limit > this.#lane.perEndpoint));
  }
}

/**
 * SQL: each endpoint with pending deliveries, by one step in the index for each.
 */
const EVERY_ENDPOINT = sql`
  (select endpoint_id, next_attempt_at from webhook_delivery
    where status = 'pending'
    order by endpoint_id, next_attempt_at limit 1)
  union all
  select following.* from candidate cross join lateral (
    select d.endpoint_id, d.next_attempt_at from webhook_delivery d
    where d.status = 'pending' and d.endpoint_id > candidate.endpoint_id
    order by d.endpoint_id, d.next_attempt_at limit 1) following`;

/** SQL: the endpoints that the lane remembers. */
const knownEndpoints = (waiting: ReadonlyMap<string, WaitingEndpoint>) => sql`
  select endpoint_id, earliest from unnest(
    ${[...waiting.keys()]}::text[],
    ${[...waiting.values()].map(({ earliest }) => earliest)}::timestamptz[]) as known(endpoint_id, earliest)`;

/** SQL: the known endpoints, and those with deliveries that became due after `since`. */
const withDueSince = (since: Date, known: RawBuilder<unknown>) => sql`
  ${known}
  union all
  select endpoint_id, min(next_attempt_at) from webhook_delivery
  where status = 'pending' and next_attempt_at > ${since} and next_attempt_at <= now()
  group by endpoint_id`;

/**
 * SQL: those of the candidates that have due deliveries, and since when. It counts deliveries that are being
 * sent: if their worker dies, they are due as before.
 */
const lookAt = (candidates: RawBuilder<unknown>) => sql`
  with recursive candidate(endpoint_id, earliest) as (${candidates})
  select endpoint_id, first.next_attempt_at
  from (select endpoint_id, min(earliest) as earliest from candidate group by endpoint_id) c
  cross join lateral (
    select d.next_attempt_at from webhook_delivery d
    where d.endpoint_id = c.endpoint_id and d.status = 'pending'
      and d.next_attempt_at >= c.earliest and d.next_attempt_at <= now()
    order by d.next_attempt_at limit 1) first`;

interface ClaimOptions extends LaneOptions {
  /** Maximum number of deliveries to claim. */
  slots: number;
  /** Endpoints that may have more simultaneous attempts than `perEndpoint`, by id. */
  limits: Record<string, number>;
}

/**
 * An app still receives that its connection was revoked, and nothing else afterwards.
 *
 * The claimed deliveries are in the order in which they were created, so that an endpoint receives events in this order
 * as long as no attempt fails.
 *
 * @param waiting SQL of the endpoints that have due deliveries, with the time before which none is due
 */
const claimOf = (
  waiting: RawBuilder<unknown>,
  { slow, perEndpoint, leaseMs, slots, limits }: ClaimOptions,
) => sql<ClaimRow>`
  with waiting(endpoint_id, earliest) as materialized (${waiting}),
  ready as (
    select e.id, unclaimed.next_attempt_at, free
    from waiting join webhook_endpoint e on e.id = waiting.endpoint_id
    cross join lateral (
      select coalesce((${JSON.stringify(limits)}::jsonb ->> e.id)::int, ${perEndpoint}) - count(*) as free
      from webhook_delivery b where b.endpoint_id = e.id and b.leased_until > now()) capacity
    cross join lateral (
      select d.next_attempt_at from webhook_delivery d
      where d.endpoint_id = e.id and d.next_attempt_at >= earliest and d.next_attempt_at <= now()
        and ${IS_UNCLAIMED}
      order by d.next_attempt_at limit 1) unclaimed
    where e.slow = ${slow} and free > 0
    order by unclaimed.next_attempt_at limit ${slots}
    for no key update of e skip locked
  ),
  due as (
    select mine.id from ready cross join lateral (
      select d.id from webhook_delivery d
      where d.endpoint_id = ready.id and d.next_attempt_at >= ready.next_attempt_at
        and d.next_attempt_at <= now() and ${IS_UNCLAIMED}
      order by d.next_attempt_at
      limit ready.free
      for update skip locked) mine
    limit ${slots}
  ),
  claimed as (
    update webhook_delivery d
    set attempts = d.attempts + 1, leased_until = ${leaseEnd(leaseMs)}
    from due, webhook_endpoint e, webhook_event v
    where d.id = due.id and e.id = d.endpoint_id and v.id = d.event_id
    returning d.id, d.created_at, d.endpoint_id, d.event_id, d.attempts, d.attempts_before_redelivery, e.url, e.slow, v.body,
      e.organization_id, e.encrypted_secret, e.encrypted_previous_secret, e.previous_secret_until,
      case when d.event_type = 'connection.revoked' then nullif(e.disabled_reason, 'revoked')
        when ${isCredentialActive('e')} then e.disabled_reason else 'revoked' end as disabled
  )
  select now() as database_time, known.earliest_due, claimed.*
  from (select json_object_agg(endpoint_id, earliest) as earliest_due from waiting) known
  full join claimed on false
  order by claimed.created_at`;

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
