import {
  DonationListQuery,
  DonationSeriesQuery,
  DonationSummaryQuery,
  notFound,
  type Donation,
} from '@connect-embed/contract';
import { queryParams } from '@connect-embed/contract/hono';
import { Hono } from 'hono';
import { sql } from 'kysely';
import type { Deps, Env } from '../env.ts';
import { requireScope } from '../auth/require-scope.ts';
import type { Db } from '../db/database.ts';
import { iso, kind } from '../db/iso.ts';
import { openList } from '../db/list.ts';
import { isId } from '../id.ts';
import { readDonationSeries } from '../series/read-series.ts';
import { answerText } from '../answer-headers.ts';
import { DONATION_FILTERS, sumDonations, type DonationFilters } from './donation-filters.ts';
import { NoQuery } from './no-query.ts';

export const donationList = (deps: Deps) =>
  openList<DonationFilters>(deps, {
    table: 'donation',
    select: selectDonations,
    madeAt: 'created_at',
    filters: DONATION_FILTERS,
  });

/** `GET /donations`, `GET /donations/{id}` (spec: Read endpoints), and sums, of all and over time: additive. */
export const donations = (deps: Deps) => {
  const list = donationList(deps);
  return (
    new Hono<Env>()
      .use(requireScope('donations:read'))
      .get('/', queryParams(DonationListQuery), async (c) =>
        answerText(
          c,
          await list(c.get('credential').organization.id, c.req.valid('query'), c.get('page')),
        ),
      )
      // Before `/:id`, which they would be otherwise.
      .get('/summary', queryParams(DonationSummaryQuery), async (c) =>
        c.json(
          await sumDonations(deps.db, c.get('credential').organization.id, c.req.valid('query')),
        ),
      )
      .get('/series', queryParams(DonationSeriesQuery), async (c) => {
        const { id } = c.get('credential').organization;
        return c.json(await readDonationSeries(deps.db, id, c.req.valid('query')));
      })
      .get('/:id', queryParams(NoQuery), async (c) => {
        const id = c.req.param('id');
        const row =
          isId(id) &&
          (await selectDonations(deps.db)
            .where('donation.organization_id', '=', c.get('credential').organization.id)
            .where('donation.id', '=', id)
            .executeTakeFirst());
        if (!row) throw notFound('donation', id);
        return c.json(row satisfies Donation);
      })
  );
};

/** Looked up row by row: beside a table that is joined, PostgreSQL may give up the order of the list. */
const fundName = sql<string | null>`(select name from fund where fund.id = donation.fund_id)`;

export const selectDonations = (db: Db) =>
  db
    .selectFrom('donation')
    .select([
      'donation.id',
      kind('donation'),
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
      fundName.as('fund_name'),
      'donation.campaign_id',
      'donation.contact_id',
      'donation.source',
      'donation.source_id',
      iso('donation.created_at').as('created_at'),
    ])
    .$narrowType<Pick<Donation, 'refund_status' | 'dispute_status'>>();
