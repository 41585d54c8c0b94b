import { sql } from 'kysely';
import type { Db } from '../db/schema.ts';

/**
 * Removes expired tokens, authorization requests and sign-in sessions, and grants that nothing
 * references.
 *
 * A used token stays in the table until its expiry, so that a replay is still detected.
 */
export async function removeOldTokens(db: Db): Promise<void> {
  const now = sql<Date>`now()`;
  await db.deleteFrom('oauth_token').where('expires_at', '<', now).execute();
  await db.deleteFrom('oauth_interaction').where('expires_at', '<', now).execute();
  await db.deleteFrom('sign_in_session').where('expires_at', '<', now).execute();
  const isUnreferencedBy = (table: 'oauth_token' | 'embed_session' | 'component_session') =>
    sql<boolean>`not exists (select from ${sql.table(table)} as dependent where dependent.grant_id = granted.id)`;
  await db
    .deleteFrom('oauth_grant as granted')
    .where('granted.created_at', '<', sql<Date>`now() - interval '1 day'`)
    .where(isUnreferencedBy('oauth_token'))
    .where(isUnreferencedBy('embed_session'))
    .where(isUnreferencedBy('component_session'))
    .execute();
}
