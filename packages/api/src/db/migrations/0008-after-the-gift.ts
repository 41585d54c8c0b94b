import { sql, type Kysely } from 'kysely';

/**
 * Refunds, disputes, fees, payouts and processor accounts. The rows are copies of the card processor's
 * objects. `reading` is the row version that orders the copies: an older one never replaces a newer
 * one (docs/decisions/0033-sync-and-reconciliation.md).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const ID = 'id text collate "C" primary key';
const ORGANIZATION = 'organization_id text collate "C" not null references organization';
const DONATION = 'donation_id text collate "C" not null references donation on delete cascade';
const CREATED_AT = 'created_at timestamptz(3) not null default clock_timestamp()';
const READING = 'reading bigint not null default 0';

const STATEMENTS = [
  'create sequence processor_reading',
  // An organization may be created before its account at the processor.
  'alter table organization alter column processor_account_id drop not null',
  // An amount that a dispute has withdrawn is subtracted from the net amount too.
  `alter table donation
    add column disputed_amount_cents bigint not null default 0,
    add column ${READING}`,
  `alter table donation
    drop column net_amount_cents,
    add column net_amount_cents bigint generated always as
      (amount_cents - fee_cents - refunded_amount_cents - disputed_amount_cents) stored`,
  // The target of the donation when the payment intent was created, to compare with the processor's data.
  `alter table payment_intent
    add column fund_id text collate "C",
    add column campaign_id text collate "C"`,
  `create table donation_refund (
    ${ID},
    ${ORGANIZATION},
    ${DONATION},
    processor_refund_id text collate "C" not null unique,
    amount_cents bigint not null check (amount_cents > 0),
    status text not null
      check (status in ('pending', 'requires_action', 'succeeded', 'failed', 'canceled')),
    reason text,
    failure_reason text,
    ${CREATED_AT}
  )`,
  'create index donation_refund_of on donation_refund (donation_id, created_at)',
  `create table donation_dispute (
    ${ID},
    ${ORGANIZATION},
    ${DONATION},
    processor_dispute_id text collate "C" not null unique,
    amount_cents bigint not null,
    status text not null check (status in ('none', 'open', 'won', 'lost')),
    reason text,
    answer_until timestamptz(3),
    ${CREATED_AT}
  )`,
  'create index donation_dispute_of on donation_dispute (donation_id, created_at)',
  // Stored before the request to the processor, so that a repeated submit finds it.
  `create table refund_request (
    key text collate "C" primary key,
    ${ORGANIZATION},
    ${DONATION},
    amount_cents bigint not null check (amount_cents > 0),
    reason text,
    note text,
    requested_by text collate "C",
    processor_refund_id text collate "C" unique,
    ${CREATED_AT}
  )`,
  'create index refund_request_of on refund_request (donation_id, created_at)',
  `alter table payout
    add column processor_payout_id text collate "C" unique,
    add column failure_message text,
    add column ${READING}`,
  // Joined to donations when read: a payout event may arrive before the events of its donations.
  `create table payout_donation (
    ${ID},
    ${ORGANIZATION},
    payout_id text collate "C" not null references payout on delete cascade,
    processor_transaction_id text collate "C" not null unique,
    processor_payment_intent_id text collate "C" not null,
    type text not null check (type in ('gift', 'refund', 'dispute')),
    amount_cents bigint not null,
    fee_cents bigint not null,
    currency text not null check (currency ~ '^[a-z]{3}$'),
    ${CREATED_AT}
  )`,
  'create index payout_donation_list on payout_donation (payout_id, created_at, id)',
  'create index payout_donation_of on payout_donation (processor_payment_intent_id)',
  `create table processor_account (
    ${ID},
    ${ORGANIZATION} unique,
    charges_enabled boolean not null,
    payouts_enabled boolean not null,
    details_submitted boolean not null,
    disabled_reason text,
    due text[] not null default '{}',
    ${READING},
    read_at timestamptz(3) not null default clock_timestamp()
  )`,
  `create table payment_domain (
    ${ORGANIZATION},
    domain text collate "C" not null,
    processor_domain_id text collate "C",
    apple_pay text,
    google_pay text,
    problem text,
    checked_at timestamptz(3),
    ${CREATED_AT},
    primary key (organization_id, domain)
  )`,
  `create table reconciliation (
    organization_id text collate "C" primary key references organization,
    events_until timestamptz(3),
    events_at timestamptz(3),
    compared_at timestamptz(3)
  )`,
];
