import { sql, type Kysely } from 'kysely';

/**
 * The request times of each credential within the last minute, oldest first:
 * docs/decisions/0024-rate-limit.md
 *
 * Unlogged: a rate limit need not survive a crash. Half of each page stays free, so that a row is
 * updated in place and no index changes.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create unlogged table request_budget (
    key text collate "C" primary key,
    taken_at timestamptz[] not null
  ) with (fillfactor = 50)`.execute(db);
}
