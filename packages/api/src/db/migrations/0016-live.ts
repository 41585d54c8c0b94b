import { sql, type Kysely } from 'kysely';

/**
 * The change log of donations, donors and payouts, for tables that update live:
 * docs/decisions/0058-live-tables.md
 *
 * Triggers write it, so that every writer is covered: imports, commands and refunds. They run once per
 * statement and ignore updates of `reading` (the row version). `pg_notify` is called only for an
 * organization with an open stream, because PostgreSQL serializes the commits of transactions that
 * notify.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const TABLES = ['donation', 'donor', 'payout'];

const STATEMENTS = [
  `create table resource_change (
    xid xid8 not null default pg_current_xact_id(),
    seq bigint not null generated always as identity,
    organization_id text collate "C" not null,
    kind text not null,
    resource_id text collate "C" not null,
    created_at timestamptz(3) not null default clock_timestamp(),
    primary key (organization_id, xid, seq)
  )`,
  `create index resource_change_age on resource_change (created_at)`,
  // Unlogged: no stream survives a crash of the database.
  `create unlogged table live_stream (
    id text collate "C" primary key,
    process text collate "C" not null,
    session_id text collate "C" not null,
    organization_id text collate "C" not null,
    opened_at timestamptz not null default clock_timestamp(),
    seen_at timestamptz not null default clock_timestamp()
  )`,
  `create index live_stream_of_session on live_stream (session_id)`,
  `create index live_stream_of_organization on live_stream (organization_id)`,
  `create function log_made() returns trigger language plpgsql as $$
  begin
    insert into resource_change (organization_id, kind, resource_id)
      select organization_id, tg_table_name, id from made;
    perform pg_notify('connect_live', changed.organization_id)
      from (select distinct organization_id from made) as changed
      where exists (
        select from live_stream where live_stream.organization_id = changed.organization_id);
    return null;
  end $$`,
  `create function log_changed() returns trigger language plpgsql as $$
  begin
    insert into resource_change (organization_id, kind, resource_id)
      select made.organization_id, tg_table_name, made.id
      from made join was using (id)
      where to_jsonb(made) - 'reading' is distinct from to_jsonb(was) - 'reading';
    if not found then return null; end if;
    perform pg_notify('connect_live', changed.organization_id)
      from (select distinct organization_id from made) as changed
      where exists (
        select from live_stream where live_stream.organization_id = changed.organization_id);
    return null;
  end $$`,
  ...TABLES.flatMap((table) => [
    `create trigger log_made after insert on ${table}
      referencing new table as made for each statement execute function log_made()`,
    `create trigger log_changed after update on ${table}
      referencing new table as made old table as was
      for each statement execute function log_changed()`,
  ]),
];
