import { sql, type Kysely } from 'kysely';

/** When an idle card reservation is checked again: docs/decisions/0047-card-testing.md */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table card_reservation add column retry_at timestamptz(3)`.execute(db);
}
