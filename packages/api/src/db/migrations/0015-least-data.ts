import { sql, type Kysely } from 'kysely';

/** Which personal data a component session masks: docs/decisions/0059-field-masking.md */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table component_session
    add column masks text[] not null default '{}'
    check (masks <@ '{names,emails,phones,addresses}')`.execute(db);
}
