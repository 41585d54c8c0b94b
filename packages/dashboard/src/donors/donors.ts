import type { List } from '@connect-embed/contract';
import { Hono } from 'hono';
import { html } from 'hono/html';
import type { Deps } from '../pages/deps.ts';
import { csvResponse } from '@connect-embed/api/http/csv-response';
import { csvFileName } from '@connect-embed/api/lib/csv';
import { donorCsv } from '@connect-embed/api/resources/donor-csv';
import { loadDonorTotals, type DonorTotals } from '@connect-embed/api/resources/donor-totals';
import { donorList } from '@connect-embed/api/resources/donors';
import { readPage, type PageRequest } from '@connect-embed/api/resources/lists/page';
import { LOCALE } from '@connect-embed/api/http/page-shell';
import type { Html } from '@connect-embed/api/lib/html';
import { dateElement } from '../pages/dashboard-layout.ts';
import type { DashboardContext, DashboardEnv } from '../pages/env.ts';
import { redirectToSearch, SEARCH_EXPIRED } from '../pages/lists/encrypted-search.ts';
import { exportableList } from '../pages/lists/exportable-list.ts';
import type { FormFields } from '../pages/fields.ts';
import { INVALID_FILTERS, optionField, periodFields } from '../pages/lists/filter-form.ts';
import { searchForm } from '../pages/lists/search-form.ts';
import { organizationPath, renderPage } from '../pages/render-page.ts';
import { requirePermission } from '../pages/require-permission.ts';
import { type Column } from '../pages/table.ts';
import { correctionPage } from './correct.ts';
import { donorName, loadDonor } from '../pages/donor-in-path.ts';
import { renderDonorPage } from './donor-page.ts';
import {
  donationCount,
  totalText,
  lastDonationAt,
  readDonorView,
  donorFilters,
  selectDonors,
  type Donor,
  type DonorView,
} from './donor-query.ts';
import { donorData } from './erase.ts';
import { mergeRoutes } from './merge.ts';
import { noteRoutes } from './notes.ts';

/**
 * Dashboard pages of donors: the list with search, its CSV export, the page of one donor, and what
 * members do there: correct, note, export and erase.
 */
export const donors = (deps: Deps) => {
  const correction = correctionPage(deps);
  const exported = donorList(deps);
  const requireEditor = requirePermission('admin');
  return new Hono<DashboardEnv>()
    .get('/', (c) => renderList(c, deps))
    .post('/search', (c) => redirectToSearch(c, deps, 'donors', listPath(c), ['year']))
    .get('/export.csv', (c) => exportDonors(c, deps, exported))
    .get('/:id', async (c) => await renderDonorPage(c, deps, await loadDonor(c, deps)))
    .use('/:id/correct', requireEditor)
    .get('/:id/correct', correction.show)
    .post('/:id/correct', correction.submit)
    .route(
      '/:id/notes',
      noteRoutes(deps, (c, donor, draft) => renderDonorPage(c, deps, donor, draft)),
    )
    .use('/:id/export', requireEditor)
    .use('/:id/erase', requireEditor)
    .use('/:id/merge', requireEditor)
    .use('/:id/merge/*', requireEditor)
    .route('/:id/merge', mergeRoutes(deps))
    .route('/:id', donorData(deps));
};

const listPath = (c: DashboardContext) => organizationPath(c, '/donors');

async function renderList(c: DashboardContext, deps: Deps) {
  const view = await readDonorView(deps, c);
  const form = donorForm(listPath(c), view);
  if (view.fields.hasErrors)
    return renderPage(c, { title: 'Donors', content: form, problem: INVALID_FILTERS });
  return renderPage(c, {
    title: 'Donors',
    content: html`${form} ${await listOf(c, deps, view)}`,
    ...(view.isSearchExpired && { flash: SEARCH_EXPIRED }),
  });
}

async function exportDonors(c: DashboardContext, deps: Deps, list: ReturnType<typeof donorList>) {
  const view = await readDonorView(deps, c);
  if (view.isSearchExpired || view.fields.hasErrors)
    return c.redirect(`${listPath(c)}${new URL(c.req.url).search}`, 303);
  const { organization } = c.var;
  const name = csvFileName(
    'donors',
    organization.organizationName,
    view.q ? 'search' : view.period,
    view.year ?? '',
  );
  const { organizationId, timeZone, permissions } = organization;
  const db = deps.readDatabase.for(organizationId);
  const loadTotals = (ids: readonly string[]) =>
    loadDonorTotals(db, organizationId, ids, view.donated);
  const lines = donorCsv(
    list.readAll(organization, donorFilters(view, organizationId)),
    timeZone,
    permissions.has('donations:read') ? loadTotals : undefined,
    view.year,
  );
  return csvResponse(c, name, lines);
}

const donorForm = (path: string, { q, fields, params, years }: DonorView): Html => {
  const { search: _, ...filters } = params;
  return searchForm(
    path,
    {
      q,
      hint: 'Name, email, phone or city',
      clear: Object.keys(params).length > 0 ? 'Clear search and filters' : undefined,
    },
    html`<details ${Object.keys(filters).length > 0 || fields.hasErrors ? 'open' : ''}>
      <summary>Filters</summary>
      <div class="grid">${periodFields(fields, 'Since')} ${yearField(fields, years)}</div>
      <button class="secondary">Apply filters</button>
    </details>`,
  );
};

const yearField = (fields: FormFields, years: readonly string[]) =>
  years.length > 0
    ? optionField(
        fields,
        { name: 'year', label: 'Gave in' },
        years.map((year) => ({ value: year, text: year })),
      )
    : '';

async function listOf(c: DashboardContext, deps: Deps, view: DonorView): Promise<Html> {
  const { organizationId, timeZone, permissions } = c.var.organization;
  const showsTotals = permissions.has('donations:read');
  const path = listPath(c);
  const isFiltered = Object.keys(view.params).length > 0;
  return await exportableList(c, {
    label: 'Donors',
    noun: 'donor',
    path,
    table: 'donor',
    filters: { q: view.q, ...view.bounds, ...view.donated },
    view,
    select: selectDonors(deps.readDatabase.for(organizationId), organizationId, view),
    read: (page) => readDonors(deps, page, view, showsTotals),
    columns: [
      ...personColumns(path),
      ...(showsTotals ? totalColumns(timeZone, view.year) : []),
      { head: 'Since', cell: ({ created_at }) => dateElement(created_at, timeZone) },
    ],
    empty: isFiltered ? 'No donors match.' : 'No donors yet. The first one will appear here.',
  });
}

/** A donor with their totals; undefined for a member without `donations:read`. */
type ListedDonor = Donor & { totals?: DonorTotals[] | undefined };

async function readDonors(
  { readDatabase, cursorEncrypter }: Deps,
  page: PageRequest,
  view: DonorView,
  showsTotals: boolean,
): Promise<List<ListedDonor>> {
  const db = readDatabase.for(page.organizationId);
  const select = selectDonors(db, page.organizationId, view);
  const list = await readPage(cursorEncrypter, page, select, (row) => row);
  if (!showsTotals) return list;
  const ids = list.data.map(({ id }) => id);
  const totals = await loadDonorTotals(db, page.organizationId, ids, view.donated);
  return { ...list, data: list.data.map((row) => ({ ...row, totals: totals.get(row.id) })) };
}

const personColumns = (path: string): Column<ListedDonor>[] => [
  {
    head: 'Name',
    as: 'rowHeader',
    cell: (donor) => html`<a href="${path}/${donor.id}">${donorName(donor)}</a>`,
  },
  { head: 'Email', as: 'clipped', cell: ({ email }) => email },
];

/** @param year of which the totals are; undefined if they are of all years */
const totalColumns = (timeZone: string, year: string | undefined): Column<ListedDonor>[] => [
  {
    head: year ? `Last donation in ${year}` : 'Last donation',
    cell: ({ totals }) => {
      const last = lastDonationAt(totals);
      return last && dateElement(last, timeZone);
    },
  },
  {
    head: year ? `Donations in ${year}` : 'Donations',
    as: 'number',
    cell: ({ totals }) => donationCount(totals).toLocaleString(LOCALE),
  },
  {
    head: `Total${year ? ` in ${year}` : ''} after refunds and disputes`,
    as: 'number',
    cell: ({ totals }) => totalText(totals),
  },
];
