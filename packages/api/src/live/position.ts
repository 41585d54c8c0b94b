/**
 * A place in the order of changes: all that transactions before `xid` did is behind it, and of `xid`'s own
 * all up to `seq`.
 */
export interface Position {
  xid: bigint;
  seq: bigint;
  /** When it was told, in seconds of the database's clock: what is older than the log goes on nowhere. */
  told: number;
}

/** No number that PostgreSQL would refuse. */
const POSITION = /^(\d{1,18})-(\d{1,18})-(\d{1,12})$/;

/** As an event carries it. */
export const writePosition = ({ xid, seq, told }: Position) => `${xid}-${seq}-${told}`;

/** @returns undefined for what is no position */
export function readPosition(text: string): Position | undefined {
  const [, xid, seq, told] = POSITION.exec(text) ?? [];
  if (xid === undefined || seq === undefined) return undefined;
  return { xid: BigInt(xid), seq: BigInt(seq), told: Number(told) };
}

export const isAfter = (one: Position, other: Position) =>
  one.xid > other.xid || (one.xid === other.xid && one.seq > other.seq);
