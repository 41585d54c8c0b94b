import type { DatabaseSync } from 'node:sqlite';
import type { TokenStore } from '@connect-embed/server';

/** Keeps the tokens of connected organizations in a table. They are encrypted before they reach this store. */
export function sqlTokenStore(database: DatabaseSync): TokenStore {
  database.exec(
    'create table if not exists connect_token (organization_id text primary key, tokens text not null)',
  );
  const select = database.prepare('select tokens from connect_token where organization_id = ?');
  const upsert = database.prepare(
    `insert into connect_token (organization_id, tokens) values (?, ?)
     on conflict (organization_id) do update set tokens = excluded.tokens`,
  );
  const remove = database.prepare('delete from connect_token where organization_id = ?');
  return {
    get: async (organizationId) =>
      (select.get(organizationId) as { tokens: string } | undefined)?.tokens,
    set: async (organizationId, tokens) => void upsert.run(organizationId, tokens),
    delete: async (organizationId) => void remove.run(organizationId),
  };
}
