import type { StoredTerms } from '@connect-embed/api/db/column-types';
import { acrossOrganizations } from '@connect-embed/api/db/organization-scope';
import type { Db } from '@connect-embed/api/db/schema';
import { isId } from '@connect-embed/api/lib/id';

/** Finds the terms of an embed session, also after it has expired; undefined if it never existed. */
export async function findTerms(db: Db, id: string): Promise<StoredTerms | undefined> {
  if (!isId(id)) return undefined;
  const row = await acrossOrganizations(db)
    .selectFrom('embed_session')
    .select('terms')
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.terms;
}
