import { csvFileName, formatMoney, notFound } from '@connect-embed/contract';
import { Hono, type Context } from 'hono';
import { html } from 'hono/html';
import { sql } from 'kysely';
import { forOrganization } from '../../../db/organization-scope.ts';
import type { Deps } from '../../deps.ts';
import { readPage } from '../../../resources/lists/page.ts';
import { isId } from '../../../lib/id.ts';
import { readForm } from '../../read-form.ts';
import { LOCALE } from '../../layout.ts';
import type { Html } from '../../../lib/html.ts';
import type { DashboardEnv } from '../env.ts';
import { dateElement, dashboardPage, timeZoneOf } from '../dashboard-layout.ts';
import { empty, facts, pager, table, type Column } from '../table.ts';
import { csvResponse } from '../lists/csv-response.ts';
import { donationTable, selectDonationRows } from '../donations/donation-table.ts';
import {
  donationCount,
  donorLines,
  totalText,
  lastDonationAt,
  readDonorView,
  loadDonorTotals,
  selectDonors,
  type Donor,
  type DonorView,
  type DonorTotals,
} from './donor-query.ts';
import { pageFromQuery } from '../lists/page-from-query.ts';
import { searchForm } from '../lists/search-form.ts';
import { SEARCH_EXPIRED, encryptSearch, normalizeSearch } from '../lists/encrypted-search.ts';

/**
 * Dashboard pages of donors: the list with search, its CSV export, and the page of one donor with
 * their donations.
 */
export const donors = (deps: Deps) => {
  const { db } = deps;
  return new Hono<DashboardEnv>()
    .get('/', async (c) => {
      const view = await readDonorView(deps, c);
      const content = html`${donorForm(listPath(c), view)} ${await listView(deps, c, view)}`;
      const flash = view.isSearchExpired ? SEARCH_EXPIRED : c.var.pageContext.flash;
      return c.html(dashboardPage(c.var.pageContext, 'Donors', content, flash));
    })
    .post('/search', async (c) => {
      const q = normalizeSearch((await readForm(c))('q'));
      const list = { organizationId: c.var.organization.organizationId, list: 'donors' } as const;
      const search = q ? await encryptSearch(deps.searchEncrypter, list, q) : '';
      const params = new URLSearchParams({ search });
      return c.redirect(search ? `${listPath(c)}?${params}` : listPath(c), 303);
    })
    .get('/export.csv', async (c) => {
      const view = await readDonorView(deps, c);
      if (view.isSearchExpired) return c.redirect(`${listPath(c)}?search=expired`, 303);
      const { organization } = c.var;
      const name = csvFileName('donors', organization.organizationName, view.q ? 'search' : 'all');
      return csvResponse(c, name, donorLines(db, organization, view));
    })
    .get('/:id', async (c) => {
      const id = c.req.param('id');
      const { organizationId } = c.var.organization;
      const donor =
        isId(id) &&
        (await forOrganization(db, organizationId)
          .selectFrom('donor')
          .selectAll()
          .where('id', '=', id)
          .executeTakeFirst());
      if (!donor) throw notFound('donor', id);
      const pageContext = { ...c.var.pageContext, backLink: { href: listPath(c), text: 'Donors' } };
      const content = html`<section class="panel" aria-label="Donor">
          ${donorFacts(donor, timeZoneOf(pageContext))}
        </section>
        ${await donationsOf(deps, c, id)}`;
      return c.html(dashboardPage(pageContext, nameOf(donor), content));
    });
};

const listPath = (c: Context<DashboardEnv>) =>
  `/dashboard/${c.var.organization.organizationId}/donors`;

const donorForm = (path: string, { q, params }: DonorView): Html =>
  searchForm(path, {
    q,
    hint: 'Name, email, phone or city',
    clear: Object.keys(params).length > 0 ? 'Clear search' : undefined,
  });

async function listView(deps: Deps, c: Context<DashboardEnv>, view: DonorView): Promise<Html> {
  const { db, cursorEncrypter } = deps;
  const { organizationId, permissions } = c.var.organization;
  const { cursor, page } = pageFromQuery(c, 'donor');
  const select = selectDonors(db, organizationId, view.q);
  const [{ count }, { data, next_cursor: next }] = await Promise.all([
    selectDonors(db, organizationId, view.q)
      .clearSelect()
      .select(sql<number>`count(*)::float8`.as('count'))
      .executeTakeFirstOrThrow(),
    readPage(cursorEncrypter, { ...page, filters: { q: view.q } }, select, (row) => row),
  ]);
  if (data.length === 0) {
    return empty(view.q ? 'No donors match.' : 'No donors yet. The first one will appear here.');
  }
  const ids = data.map(({ id }) => id);
  const showsTotals = permissions.has('donations:read');
  const donorTotals = showsTotals ? await loadDonorTotals(db, organizationId, ids) : undefined;
  const file = `${listPath(c)}/export.csv?${new URLSearchParams(view.params)}`;
  return html`<div class="head">
      <p>${count === 1 ? '1 donor' : `${count.toLocaleString(LOCALE)} donors`}</p>
      <a class="button secondary" href="${file}" download>Export CSV</a>
    </div>
    ${table('Donors', columnsAt(listPath(c), timeZoneOf(c.var.pageContext), donorTotals), data)}
    ${pager(listPath(c), { cursor, next, filters: view.params })}`;
}

const nameOf = ({ first_name, last_name, email }: Donor) =>
  [first_name, last_name].filter(Boolean).join(' ') || (email ?? 'Anonymous');

/**
 * Returns the columns of the donor table.
 *
 * @param donorTotals totals by donor id; undefined for a member without `donations:read`
 */
const columnsAt = (
  path: string,
  timeZone: string,
  donorTotals: Map<string, DonorTotals[]> | undefined,
): Column<Donor>[] => [
  {
    head: 'Name',
    as: 'rowHeader',
    cell: (donor) => html`<a href="${path}/${donor.id}">${nameOf(donor)}</a>`,
  },
  { head: 'Email', cell: ({ email }) => email },
  { head: 'Since', cell: ({ created_at }) => dateElement(created_at, timeZone) },
  ...(donorTotals ? totalColumns(donorTotals, timeZone) : []),
];

const totalColumns = (
  donorTotals: Map<string, DonorTotals[]>,
  timeZone: string,
): Column<Donor>[] => [
  {
    head: 'Last donation',
    cell: ({ id }) => {
      const last = lastDonationAt(donorTotals.get(id));
      return last && dateElement(last, timeZone);
    },
  },
  {
    head: 'Donations',
    as: 'number',
    cell: ({ id }) => donationCount(donorTotals.get(id)).toLocaleString(LOCALE),
  },
  { head: 'Total after refunds', as: 'number', cell: ({ id }) => totalText(donorTotals.get(id)) },
];

/**
 * Renders the totals and donations of one donor. Returns an empty string for a member without
 * `donations:read`.
 */
async function donationsOf(deps: Deps, c: Context<DashboardEnv>, id: string): Promise<Html | ''> {
  const { organizationId, permissions, timeZone } = c.var.organization;
  if (!permissions.has('donations:read')) return '';
  const { cursor, page } = pageFromQuery(c, 'donation');
  const [donorTotals, { data, next_cursor: next }] = await Promise.all([
    loadDonorTotals(deps.db, organizationId, [id]),
    readPage(
      deps.cursorEncrypter,
      { ...page, filters: { contact_id: id } },
      selectDonationRows(deps.db, organizationId).where('donation.contact_id', '=', id),
      (row) => row,
    ),
  ]);
  const path = `/dashboard/${organizationId}/donations`;
  return html`<h2>Donations</h2>
    ${(donorTotals.get(id) ?? []).map(totals)}
    ${data.length ? donationTable(path, 'Donations', data, timeZone) : empty('No donations from this donor.')}
    ${pager(`${listPath(c)}/${id}`, { cursor, next })}`;
}

const totals = ({ count, gross_cents, refunded_cents, currency }: DonorTotals) =>
  html`<dl class="figures">
    <div>
      <dt>Donations</dt>
      <dd>${count.toLocaleString(LOCALE)}</dd>
    </div>
    <div>
      <dt>Gross</dt>
      <dd>${formatMoney(gross_cents, currency, LOCALE)}</dd>
    </div>
    <div>
      <dt>Refunded</dt>
      <dd>${formatMoney(refunded_cents, currency, LOCALE)}</dd>
    </div>
  </dl>`;

const donorFacts = (donor: Donor, timeZone: string) =>
  facts([
    ['Email', donor.email],
    ['Phone', donor.phone],
    [
      'Address',
      [donor.city, donor.state, donor.postal_code, donor.country].filter(Boolean).join(', ') ||
        null,
    ],
    ['Since', dateElement(donor.created_at, timeZone)],
    ['Last changed', dateElement(donor.updated_at, timeZone)],
    ['Donor ID', html`<code>${donor.id}</code>`],
  ]);
