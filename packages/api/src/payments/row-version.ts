import { sql } from 'kysely';
import type { Db } from '../db/schema.ts';

/**
 * Draws the next row version, a number from one sequence. Draw it before an object is fetched from
 * Stripe, and save the object only if the row does not have a larger version.
 *
 * Stripe events arrive in any order and responses may overtake each other. An event triggers a
 * fetch after the change happened, so its version is larger than the version of any response
 * without the change. No database lock is held during the request to Stripe:
 * docs/decisions/0033-sync-and-reconciliation.md
 */
export async function nextRowVersion(db: Db): Promise<number> {
  const version = sql<number>`nextval('row_version_seq')`.as('version');
  return (await db.selectNoFrom(version).executeTakeFirstOrThrow()).version;
}
