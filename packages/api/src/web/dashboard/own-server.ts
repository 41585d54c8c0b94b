import { sql } from 'kysely';
import { hashToken } from '../../lib/id.ts';
import type { Deps } from '../deps.ts';

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
  const hash = serverApiKey ? hashToken(serverApiKey) : null;
  const { rows } = await sql<{ is_own: boolean }>`
    select coalesce(
      (select organization_id = ${organizationId} from api_key where token_hash = ${hash}),
      not exists (select from organization where id <> ${organizationId})
    ) as is_own`.execute(db);
  return rows[0]!.is_own ? serverBaseUrl : undefined;
}
