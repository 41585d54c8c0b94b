import type { Db } from '../db/database.ts';
import { isId } from '../id.ts';

/**
 * Whether there was such a session, as far back as sessions are kept, and which sites its form is on.
 * They may frame its page, also the one that says that it is over.
 */
export async function findFrameAncestors(
  db: Db,
  id: string,
): Promise<{ exists: boolean; sites: readonly string[] }> {
  const row = isId(id)
    ? await db.selectFrom('embed_session').select('terms').where('id', '=', id).executeTakeFirst()
    : undefined;
  return { exists: row !== undefined, sites: row?.terms.origins ?? [] };
}
