import {
  DonorExportQuery,
  DonorListQuery,
  DonorSummaryQuery,
  invalidRequest,
  type Donor,
  type DonorSummary,
} from '@connect-embed/contract';
import { NoQuery, queryParams } from '@connect-embed/contract/hono';
import { Hono } from 'hono';
import { sql } from 'kysely';
import type { Env } from '../http/env.ts';
import type { RequestDeps } from '../payments/deps.ts';
import { checkScope, requireScope } from '../auth/require-scope.ts';
import type { Credential } from '../http/credential.ts';
import { iso, objectType } from './resource-columns.ts';
import { ListReader } from './lists/list.ts';
import { donorCsv } from './donor-csv.ts';
import { loadDonorTotals } from './donor-totals.ts';
import { exportResponse } from './lists/export-response.ts';
import { findById } from '../lib/id.ts';
import { currentDonorId } from '../payments/donors/find-donor.ts';
import { applyFilters, type FilterRules } from './search/apply-filters.ts';
import { DONOR_SEARCH, readerFor, withSearch, type SearchFilters } from './search/search.ts';
import { isCounted } from '../db/counted.ts';
import { forOrganization, type OrganizationScope } from '../db/organization-scope.ts';

export const donorList = (deps: RequestDeps) =>
  new ListReader<DonorFilters>(deps, {
    table: 'donor',
    select: selectDonors,
    createdAtField: 'created_at',
    filters: DONOR_FILTERS,
    sorts: { name: { column: 'name_key', type: 'text' } },
  });

type DonorFilters = Record<'created_from' | 'created_to' | 'donated', string> &
  Omit<SearchFilters, 'search_amounts'>;

export const DONOR_FILTERS: FilterRules<DonorFilters> = {
  created_from: (value) => sql`donor.created_at >= ${value}::timestamptz`,
  created_to: (value) => sql`donor.created_at < ${value}::timestamptz`,
  // One donation meets all of them: a recurring one of last year is none of this year.
  donated: (value) => sql`exists (
    select from donation, jsonb_to_record(${value}::jsonb)
      as filter (donated_from timestamptz, donated_to timestamptz, recurring boolean)
    where donation.contact_id = donor.id
      and ${isCounted('donation', sql.ref('donor.organization_id'))}
      and donation.created_at >= coalesce(filter.donated_from, '-infinity')
      and donation.created_at < coalesce(filter.donated_to, 'infinity')
      and donation.recurring = coalesce(filter.recurring, donation.recurring))`,
  // Also by the address of a merged donor.
  search: (value) => sql`(donor.search @@ fold_text(${value})::tsquery or donor.id = any(array(
    select found.merged_into from donor as found
    where found.merged_into is not null and found.search @@ fold_text(${value})::tsquery)))`,
  search_id: (value) => sql`donor.id = (
    select coalesce(found.merged_into, found.id) from donor as found where found.id = ${value})`,
};

/**
 * Returns whether a reader may learn which donations are from the same person, as the totals of a donor and filters by
 * donations reveal, and the field `contact_id`.
 */
const mayReadDonations = ({ scopes, masks }: Credential) =>
  scopes.has('donations:read') && !masks?.has('names');

/** Reads the filters of a list of donors, of which those by donations become one. */
function readFilters<Query extends DonorSummaryQuery>(credential: Credential, query: Query) {
  const { donated_from, donated_to, recurring, ...rest } = query;
  const filters = withSearch(rest, DONOR_SEARCH, readerFor(credential));
  const donated = JSON.stringify({ donated_from, donated_to, recurring });
  if (donated === '{}') return filters;
  checkScope(credential, 'donations:read');
  if (!mayReadDonations(credential))
    throw invalidRequest('recurring', 'is not available to a session that masks names.');
  return { ...filters, donated };
}

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
            readFilters(c.get('credential'), c.req.valid('query')),
          ),
        ),
      )
      // Registered before `/:id`, which would match these paths.
      .get('/summary', queryParams(DonorSummaryQuery), async (c) => {
        const credential = c.get('credential');
        const { count } = await applyFilters(
          forOrganization(deps.db, credential.organization.id)
            .selectFrom('donor')
            .where('donor.merged_into', 'is', null),
          DONOR_FILTERS,
          readFilters(credential, c.req.valid('query')),
        )
          .select(sql<number>`count(*)::float8`.as('count'))
          .executeTakeFirstOrThrow();
        return c.json({ object: 'donor_summary', count } satisfies DonorSummary);
      })
      .get('/export.csv', queryParams(DonorExportQuery), (c) => {
        const { time_zone: _, ...filters } = c.req.valid('query');
        const credential = c.get('credential');
        const reader = readerFor(credential);
        const query = readFilters(credential, filters);
        const db = deps.readDatabase.for(reader.organizationId);
        const loadTotals = (ids: readonly string[]) =>
          loadDonorTotals(db, reader.organizationId, ids, filters);
        return exportResponse(c, 'donors', c.req.valid('query'), (timeZone) =>
          donorCsv(
            list.readAll(reader, query),
            timeZone,
            mayReadDonations(credential) ? loadTotals : undefined,
          ),
        );
      })
      .get('/:id', queryParams(NoQuery), async (c) => {
        const id = c.req.param('id');
        const donors = selectDonors(forOrganization(deps.db, c.get('credential').organization.id));
        const donor = await findById(
          'donor',
          id,
          donors.where('donor.id', '=', currentDonorId(id)),
        );
        return c.json(donor satisfies Donor);
      })
  );
};

export const selectDonors = (organization: OrganizationScope) =>
  organization
    .selectFrom('donor')
    .where('donor.merged_into', 'is', null)
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
