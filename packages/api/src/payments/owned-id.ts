import { sql, type Expression, type QueryCreator } from 'kysely';
import type { Database } from '../db/schema.ts';
import { forOrganization } from '../db/organization-scope.ts';

/**
 * SQL: the id if it is a row of this organization, else null. Part of an insert, so that it takes no
 * statement of its own.
 *
 * Used for ids from Stripe's metadata. A donation or plan is recorded even if its fund has been
 * deleted, and an id of another organization is not stored.
 */
export const ownedId = (
  query: QueryCreator<Database>,
  table: 'fund' | 'campaign' | 'form' | 'recurring_plan',
  organizationId: string,
  id: string | null | undefined,
): Expression<string | null> =>
  id
    ? sql`(${forOrganization(query, organizationId)
        .selectFrom(table)
        .select('id')
        .where('id', '=', id)})`
    : sql`null`;
