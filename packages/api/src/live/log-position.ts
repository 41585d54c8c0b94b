/**
 * A place in the order of changes: all that transactions before `xid` did is behind it, and of `xid`'s own
 * all up to `seq`.
 */
export interface LogPosition {
  xid: bigint;
  seq: bigint;
  /** When it was told, in seconds of the database's clock: what is older than the log goes on nowhere. */
  readAtSeconds: number;
}

/** No number that PostgreSQL would refuse. */
const POSITION_PATTERN = /^(\d{1,18})-(\d{1,18})-(\d{1,12})$/;

/** As an event carries it. */
export const formatPosition = ({ xid, seq, readAtSeconds }: LogPosition) =>
  `${xid}-${seq}-${readAtSeconds}`;

/** @returns undefined for what is no position */
export function parsePosition(text: string): LogPosition | undefined {
  const [, xid, seq, told] = POSITION_PATTERN.exec(text) ?? [];
  if (xid === undefined || seq === undefined) return undefined;
  return { xid: BigInt(xid), seq: BigInt(seq), readAtSeconds: Number(told) };
}

export const isAfter = (one: LogPosition, other: LogPosition) =>
  one.xid > other.xid || (one.xid === other.xid && one.seq > other.seq);
