import { acrossOrganizations } from '@connect-embed/api/db/organization-scope';
import type { Db } from '@connect-embed/api/db/schema';
import { isId } from '@connect-embed/api/lib/id';

/**
 * Returns whether an embed session exists or existed, and the sites of its form. Those sites may
 * frame its page, also after the session has expired.
 */
export async function findFrameAncestors(
  db: Db,
  id: string,
): Promise<{ exists: boolean; sites: readonly string[] }> {
  const row = isId(id)
    ? await acrossOrganizations(db)
        .selectFrom('embed_session')
        .select('terms')
        .where('id', '=', id)
        .executeTakeFirst()
    : undefined;
  return { exists: row !== undefined, sites: row?.terms.origins ?? [] };
}
