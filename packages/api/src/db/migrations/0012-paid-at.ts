import { sql, type Kysely } from 'kysely';

/**
 * When the processor took the money, beside when we wrote it down: a gift that was found days later
 * was still given on its day. docs/decisions/0051-paid-at.md
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  'alter table donation add column paid_at timestamptz(3)',
  // What was recorded until now was told at once, as far as anybody knows.
  'update donation set paid_at = created_at',
  `alter table donation
    alter column paid_at set default clock_timestamp(),
    alter column paid_at set not null`,
];
