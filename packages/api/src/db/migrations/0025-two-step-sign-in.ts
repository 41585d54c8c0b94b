import { sql, type Kysely } from 'kysely';

/**
 * Two-step sign-in, and organizations that require it for refunds:
 * docs/decisions/0084-sign-in-security.md
 *
 * The columns of the table are given by the sign-in library (Better Auth); their names are ours.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `alter table person add column two_factor_enabled boolean not null default false`,
  // The secret and the backup codes are encrypted.
  `create table sign_in_second_factor (
    id text collate "C" primary key,
    person_id text collate "C" not null unique references person on delete cascade,
    secret text not null,
    backup_codes text not null,
    verified boolean not null default false,
    failed_verification_count int not null default 0,
    locked_until timestamptz(3)
  )`,
  `alter table organization add column require_second_factor boolean not null default false`,
];
