import type { Donation } from '@connect-embed/contract';
import { Hono } from 'hono';
import { html } from 'hono/html';
import type { Deps } from '../pages/deps.ts';
import { csvResponse } from '@connect-embed/api/http/csv-response';
import { csvFileName } from '@connect-embed/api/lib/csv';
import { donationCsv } from '@connect-embed/api/resources/donations/donation-csv';
import { donationList } from '@connect-embed/api/resources/donations/donations';
import { readPage } from '@connect-embed/api/resources/lists/page';
import { findById } from '@connect-embed/api/lib/id';
import type { Html } from '@connect-embed/api/lib/html';
import { addNamedDonor } from '@connect-embed/api/payments/donors/add-donor';
import { canEditDonors } from '@connect-embed/api/payments/donors/find-donor';
import { actingMember } from '../pages/donor-in-path.ts';
import type { DashboardContext, DashboardEnv, PageContext } from '../pages/env.ts';
import { redirectToSearch, SEARCH_EXPIRED } from '../pages/lists/encrypted-search.ts';
import { exportHead, INVALID_FILTERS } from '../pages/lists/filter-form.ts';
import { readTargets } from '../pages/lists/filter-targets.ts';
import { listView } from '../pages/list.ts';
import { organizationPath, renderPage } from '../pages/render-page.ts';
import { donationFilterForm } from './donation-filter-form.ts';
import { loadDonationHistory } from './donation-history.ts';
import {
  DONATION_PARAMS,
  readDonationView,
  selectDonations,
  type DonationView,
} from './donation-query.ts';
import { donationColumns, selectDonationRows, type DonationRow } from './donation-table.ts';
import { onTheirWaySection, renderOnTheirWay, searchOnTheirWay } from './on-their-way-page.ts';
import { readTotals, totalsView } from './donation-totals.ts';
import { donationView } from './donation-view.ts';
import { receiptLink } from './receipt.ts';
import { refundLink } from './refund-view.ts';
import { disputePages, donationTabs, refundPages } from './refunds-and-disputes.ts';

/**
 * Dashboard pages of donations: the list with filters, its CSV export, and the page of one
 * donation.
 */
export const donations = (deps: Deps) => {
  const exported = donationList(deps);
  const refunds = refundPages(deps);
  const disputes = disputePages(deps);
  return new Hono<DashboardEnv>()
    .get('/', (c) => renderList(c, deps))
    .post('/search', (c) => redirectToSearch(c, deps, 'donations', listPath(c), DONATION_PARAMS))
    .get('/on-their-way', (c) => renderOnTheirWay(c, deps))
    .get('/refunds', refunds.show)
    .get('/refunds/export.csv', refunds.exported)
    .get('/disputes', disputes.show)
    .get('/disputes/export.csv', disputes.exported)
    .get('/export.csv', (c) => exportDonations(c, deps, exported))
    .get('/:id', (c) => renderDonation(c, deps))
    .post('/:id/donor', async (c) => {
      const donor = await addNamedDonor(deps.db, actingMember(c), c.req.param('id'));
      return await c.var.redirectWithFlash(organizationPath(c, `/donors/${donor}`), {
        kind: 'success',
        text: 'Donor added. You can now correct the name, export the data or erase it.',
      });
    });
};

const listPath = (c: DashboardContext) => organizationPath(c, '/donations');

async function renderList(c: DashboardContext, deps: Deps) {
  const view = await readDonationView(deps, c);
  const { organizationId } = c.var.organization;
  const targets = await readTargets(deps.db, organizationId);
  const form = donationFilterForm(listPath(c), view, targets);
  if (view.fields.hasErrors)
    return renderPage(c, {
      title: 'Donations',
      content: form,
      problem: INVALID_FILTERS,
    });
  return renderPage(c, {
    title: 'Donations',
    content: html`${donationTabs(c)} ${form} ${await listOf(c, deps, view)}`,
    ...(view.isSearchExpired && { flash: SEARCH_EXPIRED }),
  });
}

async function exportDonations(
  c: DashboardContext,
  deps: Deps,
  list: ReturnType<typeof donationList>,
) {
  const { organization } = c.var;
  const view = await readDonationView(deps, c);
  // Invalid filters are shown as errors in the form instead of an export.
  if (view.fields.hasErrors || view.isSearchExpired) {
    return c.redirect(`${listPath(c)}${new URL(c.req.url).search}`, 303);
  }
  const name = csvFileName('donations', organization.organizationName, view.period);
  const pages = list.readAll<Donation>(organization, view.query);
  return csvResponse(c, name, donationCsv(pages, organization.timeZone));
}

async function renderDonation(c: DashboardContext, deps: Deps) {
  const { db } = deps;
  const { pageContext } = c.var;
  const id = c.req.param('id') ?? '';
  const donation = await findById(
    'donation',
    id,
    selectDonationRows(db, c.var.organization.organizationId).where('donation.id', '=', id),
  );
  const history = await loadDonationHistory(db, donation);
  return renderPage(c, {
    title: `Donation from ${donation.donor_name ?? 'an anonymous donor'}`,
    backLink: { href: listPath(c), text: 'Donations' },
    content: donationView(
      pageContext,
      donation,
      history,
      html`${receiptLink(deps, pageContext, donation)} ${refundLink(pageContext, donation)}
      ${addDonorButton(pageContext, donation)}`,
    ),
  });
}

/** Renders the button that makes the person a donor: without an address, only the name is stored. */
function addDonorButton({ organization }: PageContext, donation: DonationRow): Html {
  const { contact_id, donor_name, organization_id, id } = donation;
  if (contact_id || !donor_name || !organization || !canEditDonors(organization)) return html``;
  return html`<form method="post" action="/dashboard/${organization_id}/donations/${id}/donor">
    <button class="secondary">Add to donors</button>
  </form>`;
}

/**
 * Renders the totals of all matching donations, one page of these donations, and the link to the
 * CSV export. The first page of all donations, or of those that a search finds, begins with those that are on their way.
 */
async function listOf(c: DashboardContext, deps: Deps, view: DonationView): Promise<Html> {
  const { organizationId, timeZone } = c.var.organization;
  const { params, query } = view;
  const path = listPath(c);
  const db = deps.readDatabase.for(organizationId);
  const select = selectDonations(db, organizationId, query);
  const isNarrowed = Object.keys(params).length > 0;
  const [underWay, totals, list] = await Promise.all([
    c.req.query('cursor') ? '' : onTheirWay(c, deps, view),
    readTotals(db, organizationId, query),
    listView(c, {
      label: 'Donations',
      path,
      table: 'donation',
      filters: query as Record<string, string>,
      params: view.pageParams,
      read: (page) => readPage(deps.cursorEncrypter, page, select, (row) => row),
      columns: donationColumns(path, timeZone),
      empty: isNarrowed
        ? 'No donations match. Change the search or clear a filter.'
        : 'No donations yet. The first one will appear here.',
    }),
  ]);
  if (totals.length === 0) return html`${underWay} ${list}`;
  const heading = html`<h2 class="hidden">Donations</h2>`;
  return html`${underWay} ${totalsView(totals)} ${exportHead(path, heading, params)} ${list}`;
}

/** Renders the payments on their way, unless the list has a filter besides the search: they are no donations yet. */
function onTheirWay(c: DashboardContext, deps: Deps, { params, query }: DonationView) {
  const { search, ...filters } = params;
  if (Object.keys(filters).length > 0) return '';
  return search ? searchOnTheirWay(c, deps, query) : onTheirWaySection(c, deps);
}
