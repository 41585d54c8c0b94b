import { sql, type Kysely } from 'kysely';

/**
 * Recurring plans (monthly donations), and the queue of e-mails to donors.
 *
 * A plan is a copy of the processor's subscription; `reading` is its row version:
 * docs/decisions/0036-subscriptions.md. The table `mail` is the queue, like `webhook_delivery`:
 * docs/decisions/0038-email.md
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const ID = 'id text collate "C" primary key';
const ORGANIZATION = 'organization_id text collate "C" not null references organization';
const CREATED_AT = 'created_at timestamptz(3) not null default clock_timestamp()';

const STATEMENTS = [
  // For receipts: the time zone of their date, and a note for the tax office.
  `alter table organization
    add column time_zone text not null default 'UTC',
    add column receipt_note text`,
  `create table recurring_plan (
    ${ID},
    ${ORGANIZATION},
    amount_cents bigint not null check (amount_cents > 0),
    currency text not null check (currency ~ '^[a-z]{3}$'),
    frequency text not null check (frequency in ('monthly', 'quarterly', 'yearly')),
    status text not null
      check (status in ('active', 'paused', 'past_due', 'canceled', 'incomplete')),
    donor_name text,
    donor_email text,
    fund_id text collate "C" references fund,
    campaign_id text collate "C" references campaign,
    locale text,
    amounts text not null,
    source text not null check (source in ('embed', 'api', 'import')),
    source_id text collate "C",
    processor_subscription_id text collate "C" not null unique,
    processor_customer_id text collate "C" not null,
    payment_method_id text,
    card_label text,
    next_payment_at timestamptz(3),
    canceled_at timestamptz(3),
    link_epoch int not null default 0,
    reading bigint not null default 0,
    ${CREATED_AT},
    check ((status = 'canceled') = (canceled_at is not null))
  )`,
  `create index recurring_plan_list on recurring_plan (organization_id, created_at, id)`,
  `alter table donation
    add column plan_id text collate "C" references recurring_plan,
    add column locale text`,
  `create index donation_of_plan on donation (plan_id, created_at) where plan_id is not null`,
  // The content of an e-mail is loaded when it is sent; the row contains no address and no link.
  `create table mail (
    ${ID},
    ${ORGANIZATION},
    kind text not null,
    once_key text collate "C" not null unique,
    donation_id text collate "C" references donation on delete cascade,
    plan_id text collate "C" references recurring_plan on delete cascade,
    details jsonb not null default '{}',
    status text not null default 'pending' check (status in ('pending', 'sent', 'failed')),
    attempts int not null default 0,
    next_attempt_at timestamptz(3) default clock_timestamp(),
    leased_until timestamptz(3),
    last_error text,
    sent_at timestamptz(3),
    ${CREATED_AT},
    check ((status = 'pending') = (next_attempt_at is not null)),
    check ((status = 'sent') = (sent_at is not null))
  )`,
  `create index mail_queue on mail (next_attempt_at) where status = 'pending'`,
  `create index mail_settled on mail (created_at)`,
];
