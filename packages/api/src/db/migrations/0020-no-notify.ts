import { sql, type Kysely } from 'kysely';

/**
 * The triggers of the change log no longer call `pg_notify`, because PostgreSQL serializes the commits
 * of transactions that do, for the whole server. Readers of the log poll it:
 * docs/decisions/0058-live-tables.md
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `create or replace function log_made() returns trigger language plpgsql as $$
  begin
    insert into resource_change (organization_id, kind, resource_id)
      select organization_id, tg_table_name, id from made;
    return null;
  end $$`,
  `create or replace function log_changed() returns trigger language plpgsql as $$
  begin
    insert into resource_change (organization_id, kind, resource_id)
      select made.organization_id, tg_table_name, made.id
      from made join was using (id)
      where to_jsonb(made) - 'reading' is distinct from to_jsonb(was) - 'reading';
    return null;
  end $$`,
  // The triggers used it to find out whether a stream is open.
  'drop index live_stream_of_organization',
];
