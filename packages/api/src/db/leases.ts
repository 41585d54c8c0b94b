import { sql } from 'kysely';

/** A row of a queue table that this process has claimed for one attempt. */
export interface Lease {
  id: string;
  /** Number of this attempt, from 1. Saving its outcome requires the same number. */
  attempts: number;
}

/** SQL condition: the row is pending, and no live worker has claimed it. */
export const IS_UNCLAIMED = sql<boolean>`(status = 'pending'
  and (leased_until is null or leased_until <= now()))`;

/**
 * SQL condition: the row still belongs to this attempt. If its lease expired and another worker has
 * claimed it since, that has increased `attempts`.
 */
export const isCurrentAttempt = ({ id, attempts }: Lease) =>
  sql<boolean>`(id = ${id} and attempts = ${attempts} and status = 'pending')`;

/** SQL: the end of a lease that starts now. */
export const leaseEnd = (leaseMs: number) => sql<Date>`now() + ${`${leaseMs} ms`}::interval`;
