import { sql, type Kysely } from 'kysely';

/**
 * How a recurring donor covers the card fee, for example `290+30` (basis points + minor units), so
 * that a new amount covers it the same way.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table recurring_plan add column fee_cover text`.execute(db);
}
