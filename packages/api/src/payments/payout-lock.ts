import { sql, type Transaction } from 'kysely';
import type { Database } from '../db/schema.ts';

/**
 * Makes transactions that save an organization's payouts wait for transactions that record its
 * donations, and the reverse. Both write the link between a donation and its payout from rows of
 * the other transaction, which they cannot see before it commits.
 *
 * Donations share the lock and are recorded concurrently. Acquire this lock before any row lock
 * that both kinds of transactions need. It is released at the end of the transaction.
 */
export async function lockPayoutLinks(
  tx: Transaction<Database>,
  organizationId: string,
  writes: 'donation' | 'payout',
): Promise<void> {
  const lock = writes === 'donation' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock';
  const key = `payout links of ${organizationId}`;
  await sql`select ${sql.raw(lock)}(hashtextextended(${key}, 0))`.execute(tx);
}
