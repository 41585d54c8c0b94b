import type { Db } from '../../db/schema.ts';

/** Returns the id of the organization that has this Stripe account. */
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
 * Returns the id of the organization that an object at Stripe names in its metadata, if the event
 * comes from its account. Accounts also take payments from other systems, whose objects name no
 * organization.
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
