import { sql, type Kysely } from 'kysely';

/**
 * Protection against card testing (trying stolen cards): docs/decisions/0047-card-testing.md
 *
 * Payment attempts are counted from the stored processor events, with a partial index on their two
 * types. A row of `attack_alarm` records the start and end of one attack.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `alter table payment_intent
    add column failed_attempts int not null default 0,
    add column closed_at timestamptz(3),
    add column plan_id text collate "C"`,
  `create index processor_event_attempts on processor_event (organization_id, received_at)
    include (type)
    where type in ('payment_intent.payment_failed', 'payment_intent.succeeded')`,
  `create table attack_alarm (
    id text collate "C" primary key,
    organization_id text collate "C" not null references organization,
    started_at timestamptz(3) not null default clock_timestamp(),
    held_at timestamptz(3) not null default clock_timestamp(),
    failed int not null check (failed > 0),
    tried int not null check (tried >= failed)
  )`,
  `create index attack_alarm_newest on attack_alarm (organization_id, held_at)`,
];
