import { acrossOrganizations } from './organization-scope.ts';
import type { Db } from './schema.ts';
import { hashToken } from '../lib/id.ts';

/** The server (BFF) of this installation, as far as it is known. */
export interface ServerSettings {
  /** Public URL of the server that the snippets of forms name; undefined if it is not known. */
  serverBaseUrl: string | undefined;
  /** API key of the server, which the setup of the first organization stores. */
  serverApiKey: string | undefined;
}

/**
 * Returns the URL of the server (BFF) if it shows the forms of this organization: its API key is one of
 * the organization's. Without that key, it is the server of the only organization. A link to any other
 * server could lead to a form of another organization with the same name.
 */
export async function findOwnServer(
  { db, serverBaseUrl, serverApiKey }: ServerSettings & { db: Db },
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
