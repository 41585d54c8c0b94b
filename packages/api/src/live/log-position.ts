/**
 * A position in the change log (table `resource_change`): it includes all changes of transactions
 * before `xid`, and those of `xid` up to `seq`.
 */
export interface LogPosition {
  xid: bigint;
  seq: bigint;
  /** When the position was read, in seconds of the database's clock. It expires before the log's rows do. */
  readAtSeconds: number;
}

/** Pattern of a formatted position. The lengths are limited to numbers that PostgreSQL accepts. */
const POSITION_PATTERN = /^(\d{1,18})-(\d{1,18})-(\d{1,12})$/;

/** Formats a position as the `id` of a server-sent event. */
export const formatPosition = ({ xid, seq, readAtSeconds }: LogPosition) =>
  `${xid}-${seq}-${readAtSeconds}`;

/**
 * Parses the `id` of a server-sent event.
 *
 * @returns undefined if the text is not a position
 */
export function parsePosition(text: string): LogPosition | undefined {
  const [, xid, seq, readAt] = POSITION_PATTERN.exec(text) ?? [];
  if (xid === undefined || seq === undefined) return undefined;
  return { xid: BigInt(xid), seq: BigInt(seq), readAtSeconds: Number(readAt) };
}

export const isAfter = (first: LogPosition, second: LogPosition) =>
  first.xid > second.xid || (first.xid === second.xid && first.seq > second.seq);
