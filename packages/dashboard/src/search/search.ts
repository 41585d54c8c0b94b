import { Hono } from 'hono';
import { html } from 'hono/html';
import { forOrganization } from '@connect-embed/api/db/organization-scope';
import {
  DONATION_FILTERS,
  type DonationFilters,
} from '@connect-embed/api/resources/donations/donation-filters';
import { PAYOUT_FILTERS } from '@connect-embed/api/resources/payouts';
import { applyFilters } from '@connect-embed/api/resources/search/apply-filters';
import {
  amountFilters,
  DONATION_SEARCH,
  PAYOUT_SEARCH,
  withSearch,
} from '@connect-embed/api/resources/search/search';
import type { Html } from '@connect-embed/api/lib/html';
import type { Deps } from '../pages/deps.ts';
import { donationColumns } from '../donations/donation-table.ts';
import {
  onTheirWayColumns,
  returnedColumns,
  selectOnTheirWay,
  selectReturned,
} from '../donations/on-their-way.ts';
import { donorName } from '../pages/donor-in-path.ts';
import { selectDonors, type Donor } from '../donors/donor-query.ts';
import type { DashboardContext, DashboardEnv, Link } from '../pages/env.ts';
import { dateElement } from '../pages/dashboard-layout.ts';
import {
  encryptSearch,
  readSearch,
  redirectToSearch,
  SEARCH_EXPIRED,
} from '../pages/lists/encrypted-search.ts';
import { organizationPath, renderPage } from '../pages/render-page.ts';
import { payoutColumns } from '../payouts/payout-list.ts';
import { empty, table, type Column } from '../pages/table.ts';

/** Maximum number of results of each kind. The lists show all. */
const MAX_RESULTS = 10;

/**
 * Dashboard page that searches donations, payments on their way, donors and payouts at once: by reference, name, email address,
 * id or amount. The form in the header is submitted by POST, so that no name or address is in a URL; the
 * response redirects to a URL with the encrypted text.
 */
export const search = (deps: Deps) =>
  new Hono<DashboardEnv>()
    .post('/search', (c) => redirectToSearch(c, deps, 'all', organizationPath(c, '/search')))
    .get('/search', (c) => renderResults(c, deps));

async function renderResults(c: DashboardContext, deps: Deps) {
  const { permissions } = c.var.organization;
  const { q, isExpired } = await readSearch(c, deps, 'all');
  if (q === undefined) {
    const content = empty('Enter a reference, name, email, donation ID or amount above.');
    return renderPage(c, {
      title: 'Search',
      content,
      ...(isExpired && { flash: SEARCH_EXPIRED }),
    });
  }
  // The field in the header keeps the text.
  c.set('pageContext', { ...c.var.pageContext, searchText: q });
  const groups = await Promise.all([
    ...(permissions.has('donations:read')
      ? [donationGroup(c, deps, q), amountGroup(c, deps, q), underWayGroups(c, deps, q)]
      : []),
    ...(permissions.has('donors:read') ? [donorGroup(c, deps, q)] : []),
    ...(permissions.has('payouts:read') ? [payoutGroup(c, deps, q)] : []),
  ]);
  const content = groups.some(Boolean)
    ? html`${groups}`
    : empty('Nothing found. Check the spelling, or enter only the beginning of a word.');
  return renderPage(c, { title: `Results for “${q}”`, content });
}

/** Also finds tests, which the lists no longer show when the organization is live. */
const newestDonations = (
  { db }: Pick<Deps, 'db'>,
  organizationId: string,
  query: Partial<DonationFilters>,
) =>
  applyFilters(forOrganization(db, organizationId).selectFrom('donation'), DONATION_FILTERS, query)
    .leftJoin('fund', 'fund.id', 'donation.fund_id')
    .selectAll('donation')
    .select('fund.name as fund_name')
    .orderBy('donation.created_at', 'desc')
    .orderBy('donation.id', 'desc')
    .limit(MAX_RESULTS + 1)
    .execute();

async function donationGroup(c: DashboardContext, deps: Deps, q: string) {
  const { organizationId, timeZone } = c.var.organization;
  const path = organizationPath(c, '/donations');
  // Amounts have a group of their own.
  const { numbers: _, ...rules } = DONATION_SEARCH;
  const query = withSearch({ q }, rules, { organizationId });
  return group({
    title: 'Donations',
    columns: donationColumns(path, timeZone),
    rows: await newestDonations(deps, organizationId, query),
    all: await searchLink(c, deps, 'donations', q),
  });
}

/** Finds the donations of exactly the entered amount, if the text is one: in its currency, or in any. */
async function amountGroup(c: DashboardContext, deps: Deps, q: string) {
  const { organizationId, currency, timeZone } = c.var.organization;
  const query = amountFilters(q, { organizationId, currency });
  if (!query) return '';
  return group({
    title: `Donations of ${q}`,
    columns: donationColumns(organizationPath(c, '/donations'), timeZone),
    rows: await newestDonations(deps, organizationId, query),
    all: await searchLink(c, deps, 'donations', q),
  });
}

/** Finds payments that are on their way, or that the bank returned: the donors were told their references, too. */
async function underWayGroups(c: DashboardContext, deps: Deps, q: string) {
  const { organizationId, currency, timeZone } = c.var.organization;
  const query = withSearch({ q }, DONATION_SEARCH, { organizationId, currency });
  const [onTheirWay, returned, all] = await Promise.all([
    selectOnTheirWay(deps.db, organizationId, query)
      .orderBy('payment_intent.created_at', 'desc')
      .limit(MAX_RESULTS + 1)
      .execute(),
    selectReturned(deps.db, organizationId, query)
      .limit(MAX_RESULTS + 1)
      .execute(),
    searchLink(c, deps, 'donations', q),
  ]);
  const path = organizationPath(c, '');
  const groups = [
    { title: 'On their way', columns: onTheirWayColumns(path, timeZone), rows: onTheirWay, all },
    {
      title: 'Returned by the bank',
      columns: returnedColumns(path, timeZone),
      rows: returned,
      all,
    },
  ].map(group);
  return groups.some(Boolean) ? html`${groups}` : '';
}

async function donorGroup(c: DashboardContext, deps: Deps, q: string) {
  const { organizationId, timeZone } = c.var.organization;
  const path = organizationPath(c, '/donors');
  const columns: Column<Donor>[] = [
    {
      head: 'Name',
      as: 'rowHeader',
      cell: (donor) => html`<a href="${path}/${donor.id}">${donorName(donor)}</a>`,
    },
    { head: 'Email', cell: ({ email }) => email },
    { head: 'City', cell: ({ city }) => city },
    { head: 'Since', cell: ({ created_at }) => dateElement(created_at, timeZone) },
  ];
  const rows = await selectDonors(deps.db, organizationId, { q, bounds: {} })
    .orderBy('donor.created_at', 'desc')
    .orderBy('donor.id', 'desc')
    .limit(MAX_RESULTS + 1)
    .execute();
  return group({ title: 'Donors', columns, rows, all: await searchLink(c, deps, 'donors', q) });
}

async function payoutGroup(c: DashboardContext, deps: Deps, q: string) {
  const { organizationId, currency, timeZone } = c.var.organization;
  const path = organizationPath(c, '/payouts');
  const query = withSearch({ q }, PAYOUT_SEARCH, { organizationId, currency });
  const rows = await applyFilters(
    forOrganization(deps.db, organizationId).selectFrom('payout').selectAll('payout'),
    PAYOUT_FILTERS,
    query,
  )
    .orderBy('payout.created_at', 'desc')
    .orderBy('payout.id', 'desc')
    .limit(MAX_RESULTS + 1)
    .execute();
  const all = { href: path, text: 'Show all payouts' };
  return group({ title: 'Payouts', columns: payoutColumns(path, timeZone), rows, all });
}

/** Link to a list that is searched for the same text. */
async function searchLink(
  c: DashboardContext,
  deps: Deps,
  list: 'donations' | 'donors',
  q: string,
): Promise<Link> {
  const search = await encryptSearch(c, deps, list, q);
  const path = organizationPath(c, `/${list}`);
  return { href: `${path}?${new URLSearchParams({ search })}`, text: 'Show all' };
}

interface Group<Row> {
  title: string;
  columns: Column<Row>[];
  /** Up to one more than are shown. */
  rows: Row[];
  /** Link to the list with all of them. */
  all: Link;
}

/** Renders the results of one kind; empty if there are none. */
function group<Row>({ title, columns, rows, all }: Group<Row>): Html | '' {
  if (rows.length === 0) return '';
  const more = html`<p class="small muted">
    These are the newest ${MAX_RESULTS}. <a href="${all.href}">${all.text}</a>
  </p>`;
  return html`<h2>${title}</h2>
    ${table(title, columns, rows.slice(0, MAX_RESULTS))} ${rows.length > MAX_RESULTS ? more : ''}`;
}
