import { sql, type Kysely } from 'kysely';

/**
 * The first tables: organizations, API keys, sessions, payment intents, donations, donors and payouts.
 *
 * Ids compare by bytes (`collate "C"`) and times have millisecond precision, so that a cursor means
 * the same in JavaScript and in PostgreSQL: docs/decisions/0010-lists.md
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const CREATED_AT = 'created_at timestamptz(3) not null default clock_timestamp()';
const ORGANIZATION = 'organization_id text collate "C" not null references organization';
const ID = 'id text collate "C" primary key';

/** Read backwards for "newest first". Serves the list, its cursor and `updated_since`. */
const listIndex = (table: string) =>
  `create index ${table}_list on ${table} (organization_id, created_at, id)`;

const STATEMENTS = [
  `create table organization (
    ${ID},
    name text not null,
    slug text not null unique,
    legal_name text,
    contact_email text,
    website text,
    tax_id text,
    currency text not null check (currency ~ '^[a-z]{3}$'),
    processor_account_id text collate "C" not null unique,
    ${CREATED_AT}
  )`,
  `create table fund (
    ${ID},
    ${ORGANIZATION},
    name text not null,
    description text,
    type text not null check (type in ('unrestricted', 'restricted', 'endowment')),
    goal_cents bigint check (goal_cents > 0),
    published boolean not null,
    ${CREATED_AT}
  )`,
  listIndex('fund'),
  `create table campaign (
    ${ID},
    ${ORGANIZATION},
    slug text not null,
    name text not null,
    description text,
    goal_cents bigint check (goal_cents > 0),
    is_active boolean not null,
    start_date timestamptz(3),
    end_date timestamptz(3),
    ${CREATED_AT},
    unique (organization_id, slug)
  )`,
  listIndex('campaign'),
  `create table donor (
    ${ID},
    ${ORGANIZATION},
    email text,
    email_key text generated always as (lower(email)) stored,
    first_name text,
    last_name text,
    phone text,
    city text,
    state text,
    postal_code text,
    country text,
    source text not null,
    ${CREATED_AT},
    updated_at timestamptz(3) not null default clock_timestamp(),
    unique (organization_id, email_key)
  )`,
  listIndex('donor'),
  `create table donation (
    ${ID},
    ${ORGANIZATION},
    amount_cents bigint not null check (amount_cents > 0),
    fee_cents bigint,
    net_amount_cents bigint
      generated always as (amount_cents - fee_cents - refunded_amount_cents) stored,
    currency text not null check (currency ~ '^[a-z]{3}$'),
    recurring boolean not null default false,
    refund_status text not null default 'none' check (refund_status in ('none', 'partial', 'full')),
    refunded_amount_cents bigint not null default 0
      check (refunded_amount_cents between 0 and amount_cents),
    dispute_status text not null default 'none'
      check (dispute_status in ('none', 'open', 'won', 'lost')),
    donor_name text,
    donor_email text,
    fund_id text collate "C" references fund,
    campaign_id text collate "C" references campaign,
    contact_id text collate "C" references donor,
    source text not null check (source in ('embed', 'api', 'import')),
    source_id text collate "C",
    processor_payment_intent_id text collate "C" unique,
    ${CREATED_AT}
  )`,
  listIndex('donation'),
  `create table payout (
    ${ID},
    ${ORGANIZATION},
    amount_cents bigint not null,
    currency text not null check (currency ~ '^[a-z]{3}$'),
    status text not null
      check (status in ('pending', 'in_transit', 'paid', 'failed', 'canceled')),
    arrival_date timestamptz(3) not null,
    description text,
    statement_descriptor text,
    ${CREATED_AT}
  )`,
  listIndex('payout'),
  `create table api_key (
    ${ID},
    ${ORGANIZATION},
    name text not null,
    token_hash bytea not null unique,
    scopes text[] not null,
    ${CREATED_AT},
    revoked_at timestamptz(3)
  )`,
  `create table embed_session (
    ${ID},
    ${ORGANIZATION},
    api_key_id text collate "C" not null references api_key,
    token_hash bytea not null unique,
    terms jsonb not null,
    prefill jsonb not null,
    expires_at timestamptz(3) not null,
    ${CREATED_AT}
  )`,
  `create index embed_session_expiry on embed_session (expires_at)`,
  `create table component_session (
    ${ID},
    ${ORGANIZATION},
    api_key_id text collate "C" not null references api_key,
    token_hash bytea not null unique,
    components text[] not null,
    expires_at timestamptz(3) not null,
    ${CREATED_AT}
  )`,
  `create index component_session_expiry on component_session (expires_at)`,
  `create table payment_intent (
    ${ID},
    ${ORGANIZATION},
    amount_cents bigint not null check (amount_cents > 0),
    currency text not null check (currency ~ '^[a-z]{3}$'),
    status text not null check (status in ('open', 'failed', 'succeeded')),
    status_at timestamptz(3),
    failure_code text,
    failure_message text,
    source text not null check (source in ('embed', 'api')),
    source_id text collate "C" not null,
    ${CREATED_AT}
  )`,
  `create table processor_event (
    ${ID},
    ${ORGANIZATION},
    type text not null,
    received_at timestamptz(3) not null default clock_timestamp()
  )`,
  `create index processor_event_age on processor_event (received_at)`,
  `create table idempotency_key (
    credential_id text collate "C" not null,
    key text collate "C" not null,
    fingerprint bytea not null,
    attempt text not null,
    locked_until timestamptz(3) not null,
    status int,
    sealed_body text,
    expires_at timestamptz(3) not null,
    primary key (credential_id, key)
  )`,
  `create index idempotency_key_expiry on idempotency_key (expires_at)`,
  // The columns that rate-limiter-flexible requires. Unlogged: a rate limit need not survive a crash.
  `create unlogged table rate_limit (
    key varchar(255) primary key,
    points integer not null default 0,
    expire bigint
  )`,
];
