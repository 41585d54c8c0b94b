import { sql, type Kysely } from 'kysely';

/**
 * How many cards each payment intent may still try, by form and by network address:
 * docs/decisions/0047-card-testing.md
 *
 * The table is logged, unlike `rate_limit`: a restart must not give a card tester a new budget.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `create table card_reservation (
    id text collate "C" primary key,
    organization_id text collate "C" not null references organization,
    form text collate "C" not null,
    address text collate "C",
    proven boolean not null,
    cards int not null check (cards >= 0),
    max_declines int not null check (max_declines > 0),
    payment_intent_id text collate "C",
    created_at timestamptz(3) not null default clock_timestamp(),
    ended_at timestamptz(3)
  )`,
  `create index card_reservation_of_form on card_reservation (organization_id, form, ended_at)`,
  `create index card_reservation_of_address on card_reservation (address, ended_at)
    where address is not null`,
  `create unique index card_reservation_of_intent on card_reservation (payment_intent_id)
    where payment_intent_id is not null`,
  `create index card_reservation_open on card_reservation (created_at) where ended_at is null`,
  `create index payment_intent_declined on payment_intent (organization_id, created_at)
    where failed_attempts > 0 and closed_at is null`,
];
