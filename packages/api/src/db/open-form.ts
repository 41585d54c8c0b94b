import { forOrganization } from './organization-scope.ts';
import type { Db } from './schema.ts';

/** Finds a form of the dashboard that accepts donations: one that is published and not closed. */
export const findOpenForm = (
  db: Db,
  organizationId: string,
  id: string,
): Promise<{ id: string; slug: string } | undefined> =>
  forOrganization(db, organizationId)
    .selectFrom('form')
    .select(['id', 'slug'])
    .where('id', '=', id)
    .where('live_version', 'is not', null)
    .where('closed_at', 'is', null)
    .executeTakeFirst();
