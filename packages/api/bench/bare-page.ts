/** The organization, and the number of rows: one more than a page, which tells whether there is another page. */
const VALUES = ['org_harbor', 26];

const FIELDS = `donation.id, 'donation' as object, amount_cents, net_amount_cents, currency, recurring,
  refund_status, refunded_amount_cents, dispute_status, donor_name, donor_email, fund_id,
  fund.name as fund_name, campaign_id, campaign.name as campaign_name, contact_id, source, source_id, reference, fee_cents,
  payment_method, card_brand, payout_id`;
const PAGE = `from donation left join fund on fund.id = donation.fund_id
  left join campaign on campaign.id = donation.campaign_id
  where donation.organization_id = $1
  order by donation.created_at desc, donation.id desc limit`;

/** The first page of donations, as a query of `pg`. */
export const BARE_PAGE = {
  text: `select ${FIELDS}, donation.created_at ${PAGE} $2`,
  values: VALUES,
};

/**
 * The same page as one JSON text for each row, as a prepared statement. The limit in the subquery is that of the
 * route's largest page, so that one statement serves all.
 */
export const PREPARED_PAGE = {
  name: 'page',
  text: `select row_to_json(page)::text as json from (
    select ${FIELDS}, to_char(donation.created_at at time zone 'UTC',
      'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as created_at ${PAGE} 101
  ) as page limit $2`,
  values: VALUES,
};
