import type { Transaction } from 'kysely';
import type { Database } from './db/schema.ts';

/**
 * The id when it names something of this organization, else null.
 *
 * Ids that come with the processor's metadata are a copy: a fund that has gone since must lose
 * neither the gift nor the plan, and another organization's must not be written down.
 */
export async function findOwnedId(
  tx: Transaction<Database>,
  table: 'fund' | 'campaign' | 'recurring_plan',
  organizationId: string,
  id: string | undefined,
): Promise<string | null> {
  if (!id) return null;
  const row = await tx
    .selectFrom(table)
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.id ?? null;
}
