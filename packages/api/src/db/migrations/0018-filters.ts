import { sql, type Kysely } from 'kysely';

/**
 * An index for each filter that may match few rows, in the order of the list, so that a page is read
 * from the index however many donations lie between the matches:
 * docs/decisions/0010-lists.md
 *
 * For a rare value, a partial index contains only its rows.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  // One index for the list of a campaign's donations and for their sum. It replaces the one for the sum.
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
  // `upcoming` filters by `starts_at` while the list is sorted by `created_at`: matches are found,
  // then sorted.
  'create index event_upcoming on event (organization_id, starts_at)',
];
