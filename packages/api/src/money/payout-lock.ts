import { sql, type Transaction } from 'kysely';
import type { Database } from '../db/schema.ts';

/**
 * Makes the transactions that save an organization's payouts wait for those that record its donations, and the other
 * way round, until they end. Each writes its part of the link between a donation and its payout from the rows of the
 * other, and would not see rows of a transaction that has not ended.
 *
 * Donations are recorded side by side. Call it before a row is locked that both write.
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
