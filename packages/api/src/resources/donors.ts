import {
  DonorExportQuery,
  DonorListQuery,
  DonorSummaryQuery,
  type Donor,
  type DonorSummary,
} from '@connect-embed/contract';
import { NoQuery, queryParams } from '@connect-embed/contract/hono';
import { Hono } from 'hono';
import { sql } from 'kysely';
import type { Env } from '../http/env.ts';
import type { RequestDeps } from '../payments/deps.ts';
import { requireScope } from '../auth/require-scope.ts';
import { iso, objectType } from './resource-columns.ts';
import { ListReader } from './lists/list.ts';
import { donorCsv } from './donor-csv.ts';
import { loadDonorTotals } from './donor-totals.ts';
import { exportResponse } from './lists/export-response.ts';
import { findById } from '../lib/id.ts';
import { applyFilters, type FilterRules } from './search/apply-filters.ts';
import { DONOR_SEARCH, readerFor, withSearch, type SearchFilters } from './search/search.ts';
import { forOrganization, type OrganizationScope } from '../db/organization-scope.ts';

export const donorList = (deps: RequestDeps) =>
  new ListReader<DonorFilters>(deps, {
    table: 'donor',
    select: selectDonors,
    createdAtField: 'created_at',
    filters: DONOR_FILTERS,
    sorts: { name: { column: 'name_key', type: 'text' } },
  });

type DonorFilters = Record<'created_from' | 'created_to', string> &
  Omit<SearchFilters, 'search_amounts'>;

/** The SQL condition of each filter. */
export const DONOR_FILTERS: FilterRules<DonorFilters> = {
  created_from: (value) => sql`donor.created_at >= ${value}::timestamptz`,
  created_to: (value) => sql`donor.created_at < ${value}::timestamptz`,
  search: (value) => sql`donor.search @@ fold_text(${value})::tsquery`,
  search_id: (value) => sql`donor.id = ${value}`,
};

/** `GET /donors`, `GET /donors/{id}` (spec: Read endpoints), their count and their export. */
export const donors = (deps: RequestDeps) => {
  const list = donorList(deps);
  return (
    new Hono<Env>()
      .use(requireScope('donors:read'))
      .get('/', queryParams(DonorListQuery), async (c) =>
        c.json(
          await list.readPage(
            c.get('credential').organization.id,
            withSearch(c.req.valid('query'), DONOR_SEARCH, readerFor(c.get('credential'))),
          ),
        ),
      )
      // Registered before `/:id`, which would match these paths.
      .get('/summary', queryParams(DonorSummaryQuery), async (c) => {
        const reader = readerFor(c.get('credential'));
        const query = withSearch(c.req.valid('query'), DONOR_SEARCH, reader);
        const { count } = await applyFilters(
          forOrganization(deps.db, reader.organizationId).selectFrom('donor'),
          DONOR_FILTERS,
          query,
        )
          .select(sql<number>`count(*)::float8`.as('count'))
          .executeTakeFirstOrThrow();
        return c.json({ object: 'donor_summary', count } satisfies DonorSummary);
      })
      .get('/export.csv', queryParams(DonorExportQuery), (c) => {
        const { time_zone: _, ...filters } = c.req.valid('query');
        const credential = c.get('credential');
        const reader = readerFor(credential);
        const query = withSearch(filters, DONOR_SEARCH, reader);
        const { scopes, masks } = credential;
        // The totals of a donor reveal which donations are from the same person, as `contact_id` does.
        const mayReadTotals = scopes.has('donations:read') && !masks?.has('names');
        const db = deps.readDatabase.for(reader.organizationId);
        const loadTotals = (ids: readonly string[]) =>
          loadDonorTotals(db, reader.organizationId, ids);
        return exportResponse(c, 'donors', c.req.valid('query'), (timeZone) =>
          donorCsv(list.readAll(reader, query), timeZone, mayReadTotals ? loadTotals : undefined),
        );
      })
      .get('/:id', queryParams(NoQuery), async (c) => {
        const id = c.req.param('id');
        const donors = selectDonors(forOrganization(deps.db, c.get('credential').organization.id));
        const donor = await findById('donor', id, donors.where('donor.id', '=', id));
        return c.json(donor satisfies Donor);
      })
  );
};

export const selectDonors = (organization: OrganizationScope) =>
  organization
    .selectFrom('donor')
    .select([
      'donor.id',
      objectType('donor'),
      'donor.email',
      'donor.first_name',
      'donor.last_name',
      'donor.phone',
      'donor.city',
      'donor.state',
      'donor.postal_code',
      'donor.country',
      'donor.source',
      iso('donor.created_at').as('created_at'),
      iso('donor.updated_at').as('updated_at'),
    ]);
