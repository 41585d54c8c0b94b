import { acrossOrganizations } from '@connect-embed/api/db/organization-scope';
import { hashToken } from '@connect-embed/api/lib/id';
import type { Deps } from '../pages/deps.ts';

/**
 * Returns the URL of the server (BFF) if it shows the forms of this organization: its API key is one of
 * the organization's. Without that key, it is the server of the only organization. A link to any other
 * server could lead to a form of another organization with the same name.
 */
export async function findOwnServer(
  { db, serverBaseUrl, serverApiKey }: Pick<Deps, 'db' | 'serverBaseUrl' | 'serverApiKey'>,
  organizationId: string,
): Promise<string | undefined> {
  if (!serverBaseUrl) return undefined;
  const key =
    serverApiKey &&
    (await acrossOrganizations(db)
      .selectFrom('api_key')
      .select('organization_id')
      .where('token_hash', '=', hashToken(serverApiKey))
      .executeTakeFirst());
  if (key) return key.organization_id === organizationId ? serverBaseUrl : undefined;
  const other = await db
    .selectFrom('organization')
    .select('id')
    .where('id', '!=', organizationId)
    .limit(1)
    .executeTakeFirst();
  return other ? undefined : serverBaseUrl;
}
