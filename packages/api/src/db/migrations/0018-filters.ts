import { sql, type Kysely } from 'kysely';

/**
 * An index for each filter that may leave few rows, in the order of the list: a page of them is read
 * from inside its bounds, however many gifts lie between: docs/decisions/0072-filters-have-indexes.md
 *
 * Where a value is rare, the index holds its rows alone and costs the others nothing.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  // One for the list and for the sum of a campaign, in place of the one for the sum.
  'drop index donation_of_campaign',
  `create index donation_of_campaign on donation (campaign_id, created_at, id)
    include (currency, amount_cents, refunded_amount_cents, disputed_amount_cents)
    where campaign_id is not null`,
  `create index donation_of_fund on donation (fund_id, created_at, id)
    where fund_id is not null`,
  `create index donation_recurring on donation (organization_id, created_at, id)
    where recurring`,
  `create index donation_refunded on donation (organization_id, refund_status, created_at, id)
    where refund_status <> 'none'`,
  `create index donation_disputed on donation (organization_id, dispute_status, created_at, id)
    where dispute_status <> 'none'`,
  // The time that is asked for is not the one that orders: what is to come is found, then sorted.
  'create index event_upcoming on event (organization_id, starts_at)',
];
