import {
  ListQuery,
  PayoutExportQuery,
  PayoutListQuery,
  PayoutSummaryQuery,
  type Payout,
  type PayoutSummary,
} from '@connect-embed/contract';
import { NoQuery, queryParams } from '@connect-embed/contract/hono';
import { Hono } from 'hono';
import type { Env } from '../http/env.ts';
import type { RequestDeps } from '../payments/deps.ts';
import { requireScope } from '../auth/require-scope.ts';
import type { Db } from '../db/schema.ts';
import { sql } from 'kysely';
import { iso, isoOrNull, objectType } from './resource-columns.ts';
import { TRANSACTION_NET_CENTS, selectBalanceTransactions } from './balance-transactions.ts';
import { exportResponse } from './lists/export-response.ts';
import type { FilterValues, ListDefinition } from './lists/list-definition.ts';
import { ListReader } from './lists/list.ts';
import { payoutCsv, type ExportedPayout } from './payout-csv.ts';
import { groupBy } from '../lib/group-by.ts';
import { applyFilters, type FilterRules } from './search/apply-filters.ts';
import { PAYOUT_SEARCH, readerFor, withSearch, type SearchFilters } from './search/search.ts';
import { isCounted } from '../db/counted.ts';
import { forOrganization, type OrganizationScope } from '../db/organization-scope.ts';

const createPayoutList = (
  deps: RequestDeps,
  select: ListDefinition<PayoutFilters, Payout>['select'],
) =>
  new ListReader<PayoutFilters, Payout>(deps, {
    table: 'payout',
    select,
    createdAtField: 'created',
    filters: PAYOUT_FILTERS,
    sorts: {
      arrival_date: { column: 'arrival_date', type: 'time' },
      amount_cents: { column: 'amount_cents', type: 'number' },
    },
  });

const payoutList = (deps: RequestDeps) => createPayoutList(deps, selectPayouts);

/** The list of payouts with the fields of the export for members and their apps. */
export const payoutExportList = (deps: RequestDeps) =>
  createPayoutList(deps, (organization) =>
    selectPayouts(organization).select('payout.failure_message'),
  );

export type PayoutFilters = Record<
  // The API's list has no parameter `currency`: it is only for the dashboard.
  | 'created_from'
  | 'created_to'
  | 'arrival_from'
  | 'arrival_to'
  | 'status'
  | 'amount_from_cents'
  | 'amount_to_cents'
  | 'currency'
  | 'livemode',
  string
> &
  SearchFilters;

export const PAYOUT_FILTERS: FilterRules<PayoutFilters> = {
  created_from: (value) => sql`payout.created_at >= ${value}::timestamptz`,
  created_to: (value) => sql`payout.created_at < ${value}::timestamptz`,
  arrival_from: (value) => sql`payout.arrival_date >= ${value}::timestamptz`,
  arrival_to: (value) => sql`payout.arrival_date < ${value}::timestamptz`,
  status: (value) => sql`payout.status = ${value}`,
  amount_from_cents: (value) => sql`payout.amount_cents >= ${value}::bigint`,
  amount_to_cents: (value) => sql`payout.amount_cents <= ${value}::bigint`,
  currency: (value) => sql`payout.currency = ${value}`,
  livemode: (value) => sql`payout.livemode = ${value}::boolean`,
  search: (value) => sql`payout.search @@ fold_text(${value})::tsquery`,
  search_amounts: (value) => sql`payout.currency || abs(payout.amount_cents) = any(${value})`,
  search_id: (value) => sql`(payout.id = ${value} or payout.processor_payout_id = ${value})`,
};

/** Selects the payouts of an organization that match the filters: those that count, unless `livemode` is a filter. */
export const filterPayouts = (
  db: Db,
  organizationId: string,
  query: FilterValues<PayoutFilters>,
) => {
  const all = forOrganization(db, organizationId).selectFrom('payout');
  const rows = query.livemode === undefined ? all.where(isCounted('payout', organizationId)) : all;
  return applyFilters(rows, PAYOUT_FILTERS, query);
};

/**
 * `GET /payouts` and `GET /payouts/{id}` (spec: Read endpoints), `GET /payouts/{id}/transactions` (what a payout
 * consists of), `GET /payouts/summary` and `GET /payouts/export.csv`.
 */
export const payouts = (deps: RequestDeps) => {
  const list = payoutList(deps);
  const exportList = payoutExportList(deps);
  const listTransactions = new ListReader<{ payout_id: string }>(deps, {
    table: 'balance_transaction',
    select: selectTransactions,
    createdAtField: 'created_at',
    filters: { payout_id: (value) => sql`balance_transaction.payout_id = ${value}` },
  });
  return (
    new Hono<Env>()
      .use(requireScope('payouts:read'))
      .get('/', queryParams(PayoutListQuery), async (c) =>
        c.json(
          await list.readPage(
            c.get('credential').organization.id,
            withSearch(c.req.valid('query'), PAYOUT_SEARCH, readerFor(c.get('credential'))),
          ),
        ),
      )
      // Registered before `/:id`, which would match these paths.
      .get('/summary', queryParams(PayoutSummaryQuery), async (c) => {
        const reader = readerFor(c.get('credential'));
        const query = withSearch(c.req.valid('query'), PAYOUT_SEARCH, reader);
        return c.json(
          await sumPayouts(
            deps.readDatabase.for(reader.organizationId),
            reader.organizationId,
            query,
          ),
        );
      })
      .get('/export.csv', queryParams(PayoutExportQuery), (c) => {
        const { time_zone: _, ...filters } = c.req.valid('query');
        const credential = c.get('credential');
        const reader = readerFor(credential);
        const query = withSearch(filters, PAYOUT_SEARCH, reader);
        // Viewers of a table get the fields of the API's payout only.
        const withFailureReason = credential.kind !== 'component_session';
        const pages = (withFailureReason ? exportList : list).readAll<ExportedPayout>(
          reader,
          query,
        );
        return exportResponse(c, 'payouts', c.req.valid('query'), (timeZone) =>
          payoutCsv(pages, timeZone, { withFailureReason }),
        );
      })
      .get('/:id', queryParams(NoQuery), async (c) =>
        c.json(await list.find(c.get('credential').organization.id, c.req.param('id'))),
      )
      .get('/:id/transactions', queryParams(ListQuery), async (c) => {
        const { id: organizationId } = c.get('credential').organization;
        const { id: payout_id } = await list.find(organizationId, c.req.param('id'));
        return c.json(
          await listTransactions.readPage(organizationId, { ...c.req.valid('query'), payout_id }),
        );
      })
  );
};

/** Counts and sums the payouts that match the filters, by currency and status. */
async function sumPayouts(
  db: Db,
  organizationId: string,
  query: FilterValues<PayoutFilters>,
): Promise<PayoutSummary> {
  const rows = await filterPayouts(db, organizationId, query)
    .groupBy(['payout.currency', 'payout.status'])
    .orderBy('payout.currency')
    .orderBy('payout.status')
    .select([
      'payout.currency',
      'payout.status',
      sql<number>`count(*)::float8`.as('count'),
      sql<number>`sum(amount_cents)::float8`.as('amount_cents'),
    ])
    .$narrowType<Pick<Payout, 'status'>>()
    .execute();
  return {
    object: 'payout_summary',
    data: [...groupBy(rows, ({ currency }) => currency)].map(([currency, ofCurrency]) => {
      // A later payout pays the money of one that failed or was canceled.
      const paying = ofCurrency.filter(
        ({ status }) =>
          query.status !== undefined || (status !== 'failed' && status !== 'canceled'),
      );
      return {
        currency,
        count: paying.reduce((sum, { count }) => sum + count, 0),
        amount_cents: paying.reduce((sum, { amount_cents }) => sum + amount_cents, 0),
        by_status: ofCurrency.map(({ currency: _, ...row }) => row),
      };
    }),
  };
}

export const selectPayouts = (organization: OrganizationScope) =>
  organization
    .selectFrom('payout')
    .select([
      'payout.id',
      objectType('payout'),
      'payout.amount_cents',
      'payout.currency',
      'payout.status',
      iso('payout.arrival_date').as('arrival_date'),
      iso('payout.created_at').as('created'),
      'payout.description',
      'payout.statement_descriptor',
      'payout.automatic',
      'payout.trace_id',
      'payout.livemode',
    ])
    .$narrowType<Pick<Payout, 'status'>>();

const selectTransactions = (organization: OrganizationScope) =>
  selectBalanceTransactions(organization).select([
    'balance_transaction.id',
    objectType('balance_transaction'),
    'balance_transaction.payout_id',
    'donation.id as donation_id',
    'balance_transaction.reporting_category',
    'balance_transaction.amount_cents',
    'balance_transaction.fee_cents',
    'balance_transaction.fee_details',
    TRANSACTION_NET_CENTS.as('net_amount_cents'),
    'balance_transaction.currency',
    'balance_transaction.exchange_rate',
    isoOrNull('balance_transaction.available_on').as('available_on'),
    'balance_transaction.processor_transaction_id',
    'balance_transaction.processor_source_id',
    iso('balance_transaction.created_at').as('created_at'),
  ]);
