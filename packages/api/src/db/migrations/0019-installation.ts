import { sql, type Kysely } from 'kysely';

/** State of the installation as a whole, in one row: docs/operations.md. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `create table installation (
    id smallint primary key default 1 check (id = 1),
    -- A known text, encrypted with API_SECRET: a process with another secret cannot decrypt it.
    secret_probe text,
    -- When a process last found out that the database can be written to.
    write_checked_at timestamptz(3) not null default clock_timestamp()
  )`,
  'insert into installation default values',
];
