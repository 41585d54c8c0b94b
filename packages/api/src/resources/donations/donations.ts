import {
  DonationExportQuery,
  DonationListQuery,
  DonationSeriesQuery,
  DonationSummaryQuery,
  ListQuery,
  type Donation,
} from '@connect-embed/contract';
import { NoQuery, queryParams } from '@connect-embed/contract/hono';
import { Hono } from 'hono';
import { sql } from 'kysely';
import type { Env } from '../../http/env.ts';
import type { RequestDeps } from '../../payments/deps.ts';
import { requireScope } from '../../auth/require-scope.ts';
import { iso, objectType } from '../resource-columns.ts';
import { ListReader } from '../lists/list.ts';
import type { ListDefinition } from '../lists/list-definition.ts';
import { exportResponse } from '../lists/export-response.ts';
import { loadDonationSeries } from './read-series.ts';
import { DONATION_SEARCH, readerFor, withSearch } from '../search/search.ts';
import { donationCsv } from './donation-csv.ts';
import { DONATION_FILTERS, type DonationFilters } from './donation-filters.ts';
import { withProcessing } from './processing-sums.ts';
import { sumDonations } from './sums.ts';
import type { OrganizationScope } from '../../db/organization-scope.ts';

export const DONATION_LIST: ListDefinition<DonationFilters, Donation> = {
  table: 'donation',
  select: (organization) => selectDonations(organization),
  createdAtField: 'created_at',
  filters: DONATION_FILTERS,
  sorts: {
    amount_cents: { column: 'amount_cents', type: 'number' },
    donor_name: { column: 'donor_name_key', type: 'text' },
  },
};

export const donationList = (deps: RequestDeps) => new ListReader(deps, DONATION_LIST);

const donationFundList = (deps: RequestDeps) =>
  new ListReader(deps, {
    table: 'fund',
    select: selectDonationFunds,
    createdAtField: 'created_at',
  });

/** Selects the funds of the organization that have received donations. */
const selectDonationFunds = (organization: OrganizationScope) =>
  organization
    .selectFrom('fund')
    // A subquery is used for each fund, because with a join PostgreSQL may no longer read the list
    // in index order.
    .where(
      sql<boolean>`(
        select donation.id from donation where donation.fund_id = fund.id
        order by donation.created_at desc, donation.id desc limit 1) is not null`,
    )
    .select([
      'fund.id',
      objectType('donation_fund'),
      'fund.name',
      iso('fund.created_at').as('created_at'),
    ]);

/**
 * `GET /donations`, `GET /donations/{id}` (spec: Read endpoints) and their sums, series,
 * export and funds.
 */
export const donations = (deps: RequestDeps) => {
  const list = donationList(deps);
  const listFunds = donationFundList(deps);
  return (
    new Hono<Env>()
      .use(requireScope('donations:read'))
      .get('/', queryParams(DonationListQuery), async (c) =>
        c.json(
          await list.readPage(
            c.get('credential').organization.id,
            withSearch(c.req.valid('query'), DONATION_SEARCH, readerFor(c.get('credential'))),
          ),
        ),
      )
      // Registered before `/:id`, which would match these paths.
      .get('/summary', queryParams(DonationSummaryQuery), async (c) => {
        const reader = readerFor(c.get('credential'));
        const query = withSearch(c.req.valid('query'), DONATION_SEARCH, reader);
        const { organizationId } = reader;
        const replica = deps.readDatabase.for(organizationId);
        const sums = await sumDonations(replica, organizationId, query);
        // A replica may lack the newest changes of payment intents.
        return c.json(await withProcessing(deps.db, organizationId, query, sums));
      })
      .get('/series', queryParams(DonationSeriesQuery), async (c) => {
        const reader = readerFor(c.get('credential'));
        const query = withSearch(c.req.valid('query'), DONATION_SEARCH, reader);
        return c.json(
          await loadDonationSeries(
            deps.readDatabase.for(reader.organizationId),
            reader.organizationId,
            query,
          ),
        );
      })
      .get('/export.csv', queryParams(DonationExportQuery), (c) => {
        const { time_zone: _, ...filters } = c.req.valid('query');
        const reader = readerFor(c.get('credential'));
        const query = withSearch(filters, DONATION_SEARCH, reader);
        return exportResponse(c, 'donations', c.req.valid('query'), (timeZone) =>
          donationCsv(list.readAll(reader, query), timeZone),
        );
      })
      .get('/funds', queryParams(ListQuery), async (c) =>
        c.json(await listFunds.readPage(c.get('credential').organization.id, c.req.valid('query'))),
      )
      .get('/:id', queryParams(NoQuery), async (c) =>
        c.json(await list.find(c.get('credential').organization.id, c.req.param('id'))),
      )
  );
};

/**
 * SQL of the names of a donation's fund, campaign and form. They are subqueries for each row, because
 * with a join PostgreSQL may no longer read the list in index order.
 */
const FUND_NAME = sql<string | null>`(select name from fund where fund.id = donation.fund_id)`;
const CAMPAIGN_NAME = sql<string | null>`(
  select name from campaign where campaign.id = donation.campaign_id)`;
const FORM_NAME = sql<string | null>`coalesce(
  (select name from form where form.id = donation.form_id), donation.form_name)`;

export const selectDonations = (organization: OrganizationScope) =>
  organization
    .selectFrom('donation')
    .select([
      'donation.id',
      objectType('donation'),
      'donation.amount_cents',
      'donation.net_amount_cents',
      'donation.currency',
      'donation.recurring',
      'donation.refund_status',
      'donation.refunded_amount_cents',
      'donation.dispute_status',
      'donation.donor_name',
      'donation.donor_email',
      'donation.fund_id',
      FUND_NAME.as('fund_name'),
      'donation.campaign_id',
      'donation.contact_id',
      'donation.source',
      'donation.source_id',
      iso('donation.created_at').as('created_at'),
      'donation.reference',
      'donation.fee_cents',
      'donation.dispute_fee_cents',
      'donation.disputed_amount_cents',
      'donation.settlement_currency',
      'donation.settlement_amount_cents',
      'donation.settlement_fee_cents',
      'donation.settlement_net_cents',
      'donation.exchange_rate',
      'donation.payment_method',
      'donation.card_brand',
      'donation.payout_id',
      CAMPAIGN_NAME.as('campaign_name'),
      'donation.livemode',
      'donation.dedication',
      'donation.comment',
      'donation.form_id',
      FORM_NAME.as('form_name'),
      'donation.page_origin',
    ])
    .$narrowType<Pick<Donation, 'refund_status' | 'dispute_status'>>();
