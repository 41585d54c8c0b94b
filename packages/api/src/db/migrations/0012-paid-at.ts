import { sql, type Kysely } from 'kysely';

/**
 * When the processor charged the donor, besides when the donation was recorded: a donation that
 * reconciliation finds days later keeps its day. docs/decisions/0051-dates-and-time-zones.md
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  'alter table donation add column paid_at timestamptz(3)',
  // For existing rows the best known value is the time of recording.
  'update donation set paid_at = created_at',
  `alter table donation
    alter column paid_at set default clock_timestamp(),
    alter column paid_at set not null`,
];
