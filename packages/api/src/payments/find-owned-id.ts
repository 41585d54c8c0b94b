import type { Transaction } from 'kysely';
import type { Database } from '../db/schema.ts';
import { forOrganization } from '../db/organization-scope.ts';

/**
 * Returns the id if it is a row of this organization, else null.
 *
 * Used for ids from Stripe's metadata. A donation or plan is recorded even if its fund has been
 * deleted, and an id of another organization is not stored.
 */
export async function findOwnedId(
  tx: Transaction<Database>,
  table: 'fund' | 'campaign' | 'form' | 'recurring_plan',
  organizationId: string,
  id: string | undefined,
): Promise<string | null> {
  if (!id) return null;
  const row = await forOrganization(tx, organizationId)
    .selectFrom(table)
    .select('id')
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.id ?? null;
}
