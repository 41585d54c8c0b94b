import type { Db } from '../db/database.ts';

/** The organization whose account an event comes from. */
export async function findOrganizationByAccount(
  db: Db,
  account: string | undefined,
): Promise<string | undefined> {
  if (!account) return undefined;
  const row = await db
    .selectFrom('organization')
    .select('id')
    .where('processor_account_id', '=', account)
    .executeTakeFirst();
  return row?.id;
}

/**
 * The organization whose gift an event is about. An account also takes payments that are none of
 * ours, and tells of them: only an object that names the organization of its account is a gift.
 */
export async function findClaimedOrganization(
  db: Db,
  account: string | undefined,
  { metadata }: { metadata: Record<string, string> },
): Promise<string | undefined> {
  const claimed = metadata['organization_id'];
  if (!claimed) return undefined;
  const id = await findOrganizationByAccount(db, account);
  return id === claimed ? id : undefined;
}
