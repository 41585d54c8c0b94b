import { sql, type Kysely } from 'kysely';

/**
 * Events with their ticket types, and registrations.
 *
 * Constraints reject invalid rows from every writer: a check-in without its time, a ticket type of
 * another event, a fixed price with "pay what you want".
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const ID = 'id text collate "C" primary key';
const ORGANIZATION = 'organization_id text collate "C" not null references organization';
const CREATED_AT = 'created_at timestamptz(3) not null default clock_timestamp()';

const STATEMENTS = [
  `create table event (
    ${ID},
    ${ORGANIZATION},
    slug text not null,
    title text not null,
    description text,
    location text,
    event_format text not null check (event_format in ('in_person', 'online', 'hybrid')),
    online_meeting_url text,
    timezone text not null,
    pricing_mode text not null
      check (pricing_mode in ('free', 'fixed', 'pay_what_you_want', 'ticketed')),
    starts_at timestamptz(3) not null,
    ends_at timestamptz(3),
    published_at timestamptz(3),
    published boolean generated always as (published_at is not null) stored,
    registration_opens_at timestamptz(3),
    registration_closes_at timestamptz(3),
    price_cents bigint check (price_cents > 0),
    pwyw_min_cents bigint check (pwyw_min_cents >= 0),
    pwyw_suggested_cents bigint check (pwyw_suggested_cents >= pwyw_min_cents),
    capacity int check (capacity > 0),
    allow_waitlist boolean not null default false,
    requires_approval boolean not null default false,
    campaign_id text collate "C" references campaign,
    fund_id text collate "C" references fund,
    ${CREATED_AT},
    unique (organization_id, slug),
    check (ends_at >= starts_at),
    check (registration_closes_at >= registration_opens_at),
    check ((pricing_mode = 'fixed') = (price_cents is not null)),
    check ((pricing_mode = 'pay_what_you_want') = (pwyw_min_cents is not null)),
    check (pwyw_min_cents is not null or pwyw_suggested_cents is null)
  )`,
  // Read backwards for "newest first"; the second one serves the filter `published`.
  `create index event_list on event (organization_id, created_at, id)`,
  `create index event_list_published on event (organization_id, published, created_at, id)`,
  `create table event_ticket_type (
    ${ID},
    event_id text collate "C" not null references event on delete cascade,
    name text not null,
    description text,
    price_cents bigint not null check (price_cents >= 0),
    capacity int check (capacity > 0),
    sort_order int not null default 0,
    is_active boolean not null default true,
    unique (event_id, id)
  )`,
  `create table registration (
    ${ID},
    ${ORGANIZATION},
    event_id text collate "C" not null references event,
    ticket_type_id text collate "C",
    attendee_name text,
    attendee_email text,
    attendee_phone text,
    status text not null check (status in
      ('pending', 'confirmed', 'cancelled', 'checked_in', 'waitlisted', 'refunded')),
    quantity int not null default 1 check (quantity > 0),
    attendee_names text[] not null default '{}',
    amount_paid_cents bigint not null default 0 check (amount_paid_cents >= 0),
    refunded_cents bigint not null default 0
      check (refunded_cents between 0 and amount_paid_cents),
    refunded_at timestamptz(3),
    checked_in_at timestamptz(3),
    source text not null,
    check_in_hash bytea unique,
    processor_payment_intent_id text collate "C" unique,
    tax_cents bigint check (tax_cents >= 0),
    tax_country text,
    ${CREATED_AT},
    foreign key (event_id, ticket_type_id) references event_ticket_type (event_id, id),
    check (status <> 'checked_in' or checked_in_at is not null),
    check (status <> 'refunded' or refunded_at is not null),
    check (refunded_cents = 0 or refunded_at is not null)
  )`,
  `create index registration_list on registration (event_id, created_at, id)`,
  `create index registration_list_status on registration (event_id, status, created_at, id)`,
];
