import { sql } from 'kysely';
import type { Db } from '../../src/db/schema.ts';
import { seedBulkDonations } from '../../src/db/seed/bulk.ts';

const ORGANIZATION = 'org_harbor';
/** Number of donations, so many that reading a few rows by index costs less than the whole table. */
const DONATIONS = 20_000;
const ROWS_PER_TABLE = 5_000;

/**
 * Fills the tables of all lists and updates PostgreSQL's statistics, so that the query planner
 * chooses plans as it does for large tables.
 *
 * Few donations match the filters, spread over all years, so that an index by time alone would have to
 * be scanned completely.
 */
export const fillLists = (db: Db): Promise<void> =>
  db.connection().execute(async (connection) => {
    // Inserting so many rows takes longer than the statement timeout of requests.
    await sql`set statement_timeout = 0`.execute(connection);
    await fill(connection);
    await sql`reset statement_timeout`.execute(connection);
  });

async function fill(db: Db): Promise<void> {
  await seedBulkDonations(db, { organizationId: ORGANIZATION, count: DONATIONS });
  for (const [table, columns, values] of TABLES) {
    await sql`insert into ${sql.table(table)}
      (id, organization_id, created_at, ${sql.raw(columns)})
      select ${`${table}_`} || n, ${ORGANIZATION}, now() - n * interval '1 hour', ${sql.raw(values)}
      from generate_series(1, ${ROWS_PER_TABLE}::int) as n`.execute(db);
  }
  // Payouts of another organization, so that reading the whole table costs more than those of one.
  await sql`insert into payout
    (id, organization_id, created_at, amount_cents, currency, status, arrival_date)
    select 'payout_other_' || n, 'org_lantern', now() - n * interval '1 hour', 100, 'usd', 'paid', now()
    from generate_series(1, ${2 * ROWS_PER_TABLE}::int) as n`.execute(db);
  for (const [every, change] of RARE) {
    await sql`update donation set ${sql.raw(change)}
      where id in (select id from (select id, row_number() over (order by id) as nth from donation
        where organization_id = ${ORGANIZATION}) as one where nth % ${every}::int = 0)`.execute(db);
  }
  await sql`analyze`.execute(db);
}

/** Rare values: each change is made to one of `every` donations. */
const RARE: readonly (readonly [every: number, change: string])[] = [
  [211, "campaign_id = 'camp_winter'"],
  [223, "fund_id = 'fund_1'"],
  [229, 'recurring = true'],
  [1009, "refund_status = 'partial', refunded_amount_cents = 1"],
  [1511, "dispute_status = 'open'"],
];

/** Columns of each table besides id, organization and creation time. */
const TABLES: readonly (readonly [table: string, columns: string, values: string])[] = [
  ['fund', 'name, type, published', "'Many', 'restricted', true"],
  ['campaign', 'slug, name, is_active', "'many-' || n, 'Many', true"],
  [
    'payout',
    'amount_cents, currency, status, arrival_date, description',
    "100, 'usd', 'paid', now() - n * interval '1 hour', 'Example ' || n",
  ],
  [
    'balance_transaction',
    `payout_id, processor_transaction_id, processor_payment_intent_id, reporting_category, amount_cents,
      fee_cents, currency`,
    "'payout_' || (1 + n % 50), 'txn_' || n, 'pi_' || n, 'charge', 100, 3, 'usd'",
  ],
  [
    'payment_intent',
    'amount_cents, currency, status, source, source_id',
    "100, 'usd', case when n % 50 > 0 then 'succeeded' else 'processing' end, 'embed', 'es_1'",
  ],
  [
    'event',
    'slug, title, event_format, timezone, pricing_mode, starts_at, published_at',
    `'many-' || n, 'Many', 'online', 'UTC', 'free', now() + (20 - n) * interval '1 day',
      case when n % 500 > 0 then now() end`,
  ],
  [
    'registration',
    'event_id, status, source',
    `'event_' || (1 + n % 9), case when n % 700 > 0 then 'confirmed' else 'waitlisted' end,
      'dashboard'`,
  ],
  [
    'recurring_plan',
    `amount_cents, currency, frequency, status, amounts, source, processor_subscription_id,
      processor_customer_id`,
    "100, 'usd', 'monthly', 'active', 'plain', 'api', 'sub_' || n, 'cus_' || n",
  ],
];
