import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import type { Prepare } from '../db/prepared.ts';
import type { LogPosition } from './log-position.ts';

/** Of one resource, the latest of what was read. */
export interface Change {
  kind: string;
  id: string;
  at: LogPosition;
}

/** What has been committed since a position. */
export interface ChangeBatch {
  /** Undefined when more has changed than is told one by one, or nobody knows any more what. */
  changes: Change[] | undefined;
  /** Behind everything that was read. */
  end: LogPosition;
  /** A transaction that began earlier is still to be committed: look again soon. */
  pending: boolean;
}

/** More at once, such as an import, is not told one by one: pages read their lists anew. */
export const MAX_BATCH_CHANGES = 2_000;
/** The log is kept for a day: `removeOldChanges`. A position of its last hour might have lost something. */
const RETENTION_SECONDS = 24 * 3600;
const POSITION_TTL_SECONDS = RETENTION_SECONDS - 3600;

interface Row {
  xmin: string;
  xmax: string;
  now: number;
  xid: string | null;
  seq: string;
  kind: string;
  resource_id: string;
}

/** Reads what an organization's rows have gone through since `from`; without it, only where the log ends. */
export type ReadChangeLog = (
  organizationId: string,
  from: LogPosition | undefined,
) => Promise<ChangeBatch>;

/**
 * Reads the log in the order in which transactions may be told of.
 *
 * Numbers are drawn before a transaction is committed, so a smaller one may appear after a larger. What is
 * told ends before the oldest transaction that is still running: nothing can come in behind it any more.
 */
export const openChangeLog = (prepare: Prepare): ReadChangeLog => {
  const read = prepare<Row, { organization_id: string; xid: string; seq: string }>(
    (value) => sql`
      with snapshot as materialized (
        select pg_snapshot_xmin(pg_current_snapshot()) as xmin,
          pg_snapshot_xmax(pg_current_snapshot()) as xmax)
      select snapshot.xmin::text, snapshot.xmax::text,
        extract(epoch from clock_timestamp())::int as now,
        change.xid::text, change.seq::text, change.kind, change.resource_id
      from snapshot left join lateral (
        select xid, seq, kind, resource_id from resource_change
        where organization_id = ${value('organization_id')}
          and (xid, seq) > (${value('xid')}::text::xid8, ${value('seq')}::text::bigint)
        order by xid, seq limit ${sql.lit(MAX_BATCH_CHANGES + 1)}) as change on true`,
  );
  return async (organizationId, from) => {
    const { xid, seq } = from ?? END_OF_LOG;
    const values = { organization_id: organizationId, xid: `${xid}`, seq: `${seq}` };
    return toChangeBatch(await read(values), from);
  };
};

const END_OF_LOG = { xid: 10n ** 18n, seq: 0n };

function toChangeBatch(rows: Row[], from: LogPosition | undefined): ChangeBatch {
  const [{ xmin, xmax, now }] = rows as [Row];
  const end = { xid: BigInt(xmin), seq: 0n, readAtSeconds: now };
  const found = rows.filter(({ xid }) => xid !== null);
  // Numbers beyond the last are of another cluster, from which this one was restored.
  const pending = found.some(({ xid }) => BigInt(xid!) >= end.xid && BigInt(xid!) < BigInt(xmax));
  if (!from) return { changes: [], end, pending };
  const isLost = from.xid > BigInt(xmax) || now - from.readAtSeconds > POSITION_TTL_SECONDS;
  if (isLost || found.length > MAX_BATCH_CHANGES) return { changes: undefined, end, pending };
  const latest = new Map<string, Change>();
  for (const { xid, seq, kind, resource_id: id } of found) {
    if (BigInt(xid!) >= end.xid) break;
    latest.delete(id); // Told where it last changed.
    latest.set(id, { kind, id, at: { xid: BigInt(xid!), seq: BigInt(seq), readAtSeconds: now } });
  }
  // Another statement may have seen further: nobody goes back.
  const furthest = end.xid >= from.xid ? end : { ...from, readAtSeconds: now };
  return { changes: [...latest.values()], end: furthest, pending };
}

/** Forgets what no page can go on from. */
export const removeOldChanges = (db: Db) =>
  db
    .deleteFrom('resource_change')
    .where(
      'created_at',
      '<',
      sql<Date>`now() - ${sql.lit(RETENTION_SECONDS)} * interval '1 second'`,
    )
    .execute();
