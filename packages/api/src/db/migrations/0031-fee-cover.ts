import { sql, type Kysely } from 'kysely';

/** How the donor of a subscription covers the card fee, so that a new amount keeps it: `290+30`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table recurring_plan add column fee_cover text`.execute(db);
}
