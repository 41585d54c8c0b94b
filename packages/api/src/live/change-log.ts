import { sql } from 'kysely';
import { acrossOrganizations } from '../db/organization-scope.ts';
import type { Db } from '../db/schema.ts';
import type { Prepare } from '../db/prepared.ts';
import type { LogPosition } from './log-position.ts';

/**
 * A change of a donation, donor or payout in the change log (table `resource_change`). A batch
 * contains the latest change of each resource.
 */
export interface Change {
  kind: string;
  id: string;
  position: LogPosition;
}

/** The changes that were committed after a position. */
export interface ChangeBatch {
  /** Undefined if there are more than MAX_BATCH_CHANGES, or if the position is too old. */
  changes: Change[] | undefined;
  /** The position after everything that was read. */
  end: LogPosition;
  /** True if an earlier transaction is still running, so that the log must be read again soon. */
  hasPendingTransactions: boolean;
}

/**
 * Maximum number of changes that are sent one by one. After more changes, for example of an import,
 * pages reload their lists.
 */
export const MAX_BATCH_CHANGES = 2_000;
/**
 * `removeOldChanges` deletes changes after a day. A position expires one hour earlier, so that no
 * change after a valid position has been deleted.
 */
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

/**
 * Reads the changes of an organization's rows after `startPosition`. If `startPosition` is
 * undefined, only the end of the log is returned.
 */
export type ReadChangeLog = (
  organizationId: string,
  startPosition: LogPosition | undefined,
) => Promise<ChangeBatch>;

/**
 * Creates the function that reads the change log, in an order in which no change can be inserted
 * later.
 *
 * A transaction gets its id before it is committed, so a smaller id can become visible after a
 * larger one. Each batch therefore ends before the oldest running transaction.
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
          and kind in ('donation', 'donor', 'payout')
          and (xid, seq) > (${value('xid')}::text::xid8, ${value('seq')}::text::bigint)
        order by xid, seq limit ${sql.lit(MAX_BATCH_CHANGES + 1)}) as change on true`,
  );
  return async (organizationId, startPosition) => {
    const { xid, seq } = startPosition ?? END_OF_LOG;
    const values = { organization_id: organizationId, xid: `${xid}`, seq: `${seq}` };
    return toChangeBatch(await read(values), startPosition);
  };
};

const END_OF_LOG = { xid: 10n ** 18n, seq: 0n };

function toChangeBatch(rows: Row[], startPosition: LogPosition | undefined): ChangeBatch {
  const [{ xmin, xmax, now }] = rows as [Row];
  const end = { xid: BigInt(xmin), seq: 0n, readAtSeconds: now };
  const changeRows = rows.filter(({ xid }) => xid !== null);
  // Transaction ids beyond `xmax` are from another PostgreSQL cluster, whose backup was restored here.
  const pending = changeRows.some(
    ({ xid }) => BigInt(xid!) >= end.xid && BigInt(xid!) < BigInt(xmax),
  );
  if (!startPosition) return { changes: [], end, hasPendingTransactions: pending };
  const isExpired =
    startPosition.xid > BigInt(xmax) || now - startPosition.readAtSeconds > POSITION_TTL_SECONDS;
  if (isExpired || changeRows.length > MAX_BATCH_CHANGES)
    return { changes: undefined, end, hasPendingTransactions: pending };
  const latest = new Map<string, Change>();
  for (const { xid, seq, kind, resource_id: id } of changeRows) {
    if (BigInt(xid!) >= end.xid) break;
    latest.delete(id); // Moves the resource to the position of its latest change.
    latest.set(id, {
      kind,
      id,
      position: { xid: BigInt(xid!), seq: BigInt(seq), readAtSeconds: now },
    });
  }
  // A batch never ends before its start, although another snapshot may have read further.
  const endPosition = end.xid >= startPosition.xid ? end : { ...startPosition, readAtSeconds: now };
  return { changes: [...latest.values()], end: endPosition, hasPendingTransactions: pending };
}

/** Deletes changes that are older than every position from which a stream can resume. */
export const removeOldChanges = (db: Db) =>
  acrossOrganizations(db)
    .deleteFrom('resource_change')
    .where(
      'created_at',
      '<',
      sql<Date>`now() - ${sql.lit(RETENTION_SECONDS)} * interval '1 second'`,
    )
    .execute();
