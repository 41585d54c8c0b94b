import { sql } from 'kysely';
import { acrossOrganizations } from '../db/organization-scope.ts';
import type { Db } from '../db/schema.ts';

/** Counts the payouts of all organizations whose transactions do not add up, although Stripe has listed them all. */
export async function countIncompletePayouts(db: Db): Promise<number> {
  const { count } = await acrossOrganizations(db)
    .selectFrom('payout')
    .where('missing_cents', '<>', 0)
    .select(sql<number>`count(*)::float8`.as('count'))
    .executeTakeFirstOrThrow();
  return count;
}
