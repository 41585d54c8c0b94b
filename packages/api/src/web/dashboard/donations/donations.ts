import { csvFileName, notFound } from '@connect-embed/contract';
import { Hono, type Context } from 'hono';
import { html } from 'hono/html';
import type { Deps } from '../../deps.ts';
import { readPage } from '../../../resources/lists/page.ts';
import { isId } from '../../../lib/id.ts';
import { readForm } from '../../read-form.ts';
import type { Html } from '../../../lib/html.ts';
import type { DashboardEnv, FlashMessage } from '../env.ts';
import { dashboardPage, timeZoneOf } from '../dashboard-layout.ts';
import { empty, pager } from '../table.ts';
import { csvResponse } from '../lists/csv-response.ts';
import { donationCsvLines } from './donation-csv.ts';
import { donationFilterForm, readTargets } from './donation-filter-form.ts';
import { listUrl, readDonationView, selectDonations, type DonationView } from './donation-query.ts';
import { donationTable, selectDonationRows } from './donation-table.ts';
import { readTotals, totalsView } from './donation-totals.ts';
import { SEARCH_EXPIRED, encryptSearch, normalizeSearch } from '../lists/encrypted-search.ts';
import { donationView } from './donation-view.ts';
import { loadDonationHistory } from './donation-history.ts';
import { pageFromQuery } from '../lists/page-from-query.ts';

/**
 * Dashboard pages of donations: the list with filters, its CSV export, and the page of one
 * donation.
 */
export const donations = (deps: Deps) => {
  const { db } = deps;
  return new Hono<DashboardEnv>()
    .get('/', async (c) => {
      const view = await readDonationView(deps, c);
      const targets = await readTargets(db, c.var.organization.organizationId);
      const form = donationFilterForm(listPath(c), view, targets);
      if (view.fields.hasErrors)
        return c.html(dashboardPage(c.var.pageContext, 'Donations', form, INVALID_FILTERS), 400);
      const content = html`${form} ${await listView(deps, c, view)}`;
      const flash = view.isSearchExpired ? SEARCH_EXPIRED : c.var.pageContext.flash;
      return c.html(dashboardPage(c.var.pageContext, 'Donations', content, flash));
    })
    .post('/search', async (c) => {
      const value = await readForm(c);
      const { organizationId } = c.var.organization;
      const q = normalizeSearch(value('q'));
      const list = { organizationId, list: 'donations' } as const;
      const search = q ? await encryptSearch(deps.searchEncrypter, list, q) : undefined;
      return c.redirect(listUrl(listPath(c), value, search), 303);
    })
    .get('/export.csv', async (c) => {
      const { organization } = c.var;
      const view = await readDonationView(deps, c);
      // Invalid filters are shown as errors in the form instead of an export.
      if (view.fields.hasErrors || view.isSearchExpired) {
        return c.redirect(`${listPath(c)}${new URL(c.req.url).search}`, 303);
      }
      const name = csvFileName('donations', organization.organizationName, view.period);
      return csvResponse(c, name, donationCsvLines(db, organization, view.query));
    })
    .get('/:id', async (c) => {
      const id = c.req.param('id');
      const { organizationId } = c.var.organization;
      const donation =
        isId(id) &&
        (await selectDonationRows(db, organizationId)
          .where('donation.id', '=', id)
          .executeTakeFirst());
      if (!donation) throw notFound('donation', id);
      const pageContext = {
        ...c.var.pageContext,
        backLink: { href: listPath(c), text: 'Donations' },
      };
      const history = await loadDonationHistory(db, donation);
      const title = `Donation from ${donation.donor_name ?? 'an anonymous donor'}`;
      return c.html(
        dashboardPage(pageContext, title, donationView(pageContext, donation, history)),
      );
    });
};

/**
 * Renders the totals of all matching donations, one page of these donations, and the link to the
 * CSV export.
 */
async function listView(deps: Deps, c: Context<DashboardEnv>, view: DonationView): Promise<Html> {
  const { organizationId } = c.var.organization;
  const { params, query } = view;
  const list = listPath(c);
  const { cursor, page } = pageFromQuery(c, 'donation');
  const [totals, { data, next_cursor: next }] = await Promise.all([
    readTotals(deps.db, organizationId, query),
    readPage(
      deps.cursorEncrypter,
      { ...page, filters: query as Record<string, string> },
      selectDonations(deps.db, organizationId, query),
      (row) => row,
    ),
  ]);
  if (data.length === 0) {
    const isNarrowed = Object.keys(params).length > 0;
    return empty(
      isNarrowed
        ? 'No donations match. Change the search or clear a filter.'
        : 'No donations yet. The first one will appear here.',
    );
  }
  const file = `${list}/export.csv?${new URLSearchParams(params)}`;
  return html`${totalsView(totals)}
    <div class="head">
      <h2 class="hidden">Donations</h2>
      <a class="button secondary" href="${file}" download>Export CSV</a>
    </div>
    ${donationTable(list, 'Donations', data, timeZoneOf(c.var.pageContext))}
    ${pager(list, { cursor, next, filters: view.pageParams })}`;
}

const INVALID_FILTERS: FlashMessage = {
  kind: 'problem',
  text: 'These filters cannot be applied. Check the marked fields.',
};

const listPath = (c: Context<DashboardEnv>) =>
  `/dashboard/${c.var.organization.organizationId}/donations`;
