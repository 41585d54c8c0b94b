import { Hono } from 'hono';
import { html } from 'hono/html';
import {
  countRecords,
  findDonorPair,
  mergeDonors,
  mergedContact,
  type DonorPair,
  type DonorRecords,
} from '@connect-embed/api/payments/donors/merge-donors';
import { findEditableDonor, fullName } from '@connect-embed/api/payments/donors/find-donor';
import type { Html } from '@connect-embed/api/lib/html';
import { LOCALE } from '@connect-embed/api/http/page-shell';
import type { Deps } from '../pages/deps.ts';
import { dateElement } from '../pages/dashboard-layout.ts';
import { actingMember, donorLink, donorName } from '../pages/donor-in-path.ts';
import type { DashboardContext, DashboardEnv } from '../pages/env.ts';
import { redirectToSearch, SEARCH_EXPIRED } from '../pages/lists/encrypted-search.ts';
import { searchForm } from '../pages/lists/search-form.ts';
import { renderPage } from '../pages/render-page.ts';
import { empty, table, type Column } from '../pages/table.ts';
import { readDonorView, selectDonors, type Donor } from './donor-query.ts';

/** Maximum number of donors among whom the member chooses. One more is read, to say so. */
const MAX_CHOICES = 20;

/** Pages that merge another donor into one: the choice of the other donor, and what happens to each record. */
export const mergeRoutes = (deps: Deps) =>
  new Hono<DashboardEnv>()
    .get('/', (c) => renderChoice(c, deps))
    .post('/search', async (c) => {
      const donor = await loadKept(c, deps);
      return await redirectToSearch(c, deps, 'donors', `${donorLink(donor, c).href}/merge`);
    })
    .get('/:other', async (c) => renderPreview(c, deps, await loadPair(c, deps)))
    .post('/:other', async (c) => {
      const { kept, merged } = await loadPair(c, deps);
      await mergeDonors(deps.db, actingMember(c), { kept: kept.id, merged: merged.id });
      return await c.var.redirectWithFlash(donorLink(kept, c).href, {
        kind: 'success',
        text: `${donorName(merged)} was merged into this donor.`,
      });
    });

const loadKept = (c: DashboardContext, { db }: Deps) =>
  findEditableDonor(db, c.var.organization.organizationId, c.req.param('id') ?? '');

const loadPair = (c: DashboardContext, { db }: Deps) =>
  findDonorPair(db, actingMember(c), {
    kept: c.req.param('id') ?? '',
    merged: c.req.param('other') ?? '',
  });

async function renderChoice(c: DashboardContext, deps: Deps) {
  const donor = await loadKept(c, deps);
  const backLink = donorLink(donor, c);
  const path = `${backLink.href}/merge`;
  const view = await readDonorView(deps, c);
  const search = { q: view.q, hint: 'Name, email, phone, city or donor ID', clear: undefined };
  return renderPage(c, {
    title: `Merge ${donorName(donor)} with another donor`,
    backLink,
    content: html`<p class="muted">
        If one person is listed twice, find the other one. The next page shows what happens to each
        record before anything is changed.
      </p>
      ${searchForm(path, search)} ${view.q ? await choices(c, deps, donor, view.q) : ''}`,
    ...(view.isSearchExpired && { flash: SEARCH_EXPIRED }),
  });
}

async function choices(c: DashboardContext, { db }: Deps, donor: Donor, q: string): Promise<Html> {
  const { timeZone } = c.var.organization;
  const found = await selectDonors(db, donor.organization_id, { q, bounds: {} })
    .where('donor.id', '<>', donor.id)
    .where('donor.erased_at', 'is', null)
    .orderBy('donor.created_at', 'desc')
    .orderBy('donor.id', 'desc')
    .limit(MAX_CHOICES + 1)
    .execute();
  if (found.length === 0) return empty('No other donors match.');
  const columns: Column<Donor>[] = [
    {
      head: 'Name',
      as: 'rowHeader',
      cell: (other) =>
        html`<a href="${donorLink(donor, c).href}/merge/${other.id}">${donorName(other)}</a>`,
    },
    { head: 'Email', cell: ({ email }) => email },
    { head: 'City', cell: ({ city }) => city },
    { head: 'Since', cell: ({ created_at }) => dateElement(created_at, timeZone) },
  ];
  const note = html`<p class="small muted">
    These are the newest ${MAX_CHOICES}. Enter more of the name or the email address.
  </p>`;
  return html`${table('Other donors', columns, found.slice(0, MAX_CHOICES))}
  ${found.length > MAX_CHOICES ? note : ''}`;
}

async function renderPreview(c: DashboardContext, { db }: Deps, pair: DonorPair) {
  const { kept, merged } = pair;
  const backLink = donorLink(kept, c);
  const [ofKept, ofMerged] = await Promise.all([countRecords(db, kept), countRecords(db, merged)]);
  const columns: Column<PreviewRow>[] = [
    { head: 'Record', as: 'rowHeader', cell: ({ name }) => name },
    { head: `Stays: ${donorName(kept)}`, cell: ({ ofKept }) => ofKept },
    { head: `Merged: ${donorName(merged)}`, cell: ({ ofMerged }) => ofMerged },
    { head: 'Afterwards', cell: ({ after }) => after },
  ];
  const rows = [...contactRows(pair), ...recordRows(c, ofKept, ofMerged)];
  return renderPage(c, {
    title: `Merge ${donorName(merged)} into ${donorName(kept)}?`,
    backLink,
    content: html`${table('What happens to each record', columns, rows)}
      <form method="post" class="panel">
        <div class="text">
          <ul>
            <li>
              Recurring donations go on as they are, with their own email address, payment method
              and customer at Stripe.
            </li>
            <li>Receipts that were sent stay as they are, and nothing is sent to the donor.</li>
            <li>
              Both email addresses stay known: a later donation with either belongs to
              ${donorName(kept)}. A payment on its way is added when it arrives.
            </li>
            <li>
              The ID <code>${merged.id}</code> goes on working in links and in the API. Both lead to
              <code>${kept.id}</code>.
            </li>
          </ul>
        </div>
        <p>The history records the merge. It cannot be undone.</p>
        <p class="buttons">
          <button class="danger last">Merge donors</button>
          <a class="button secondary" href="${donorLink(merged, c).href}/merge/${kept.id}"
            >Keep ${donorName(merged)} instead</a
          >
          <a class="button secondary" href="${backLink.href}">Go back</a>
        </p>
      </form>`,
  });
}

/** What happens to one kind of record. */
interface PreviewRow {
  name: string;
  ofKept: string | null;
  ofMerged: string | null;
  after: string | null;
}

function contactRows({ kept, merged }: DonorPair): PreviewRow[] {
  const after = mergedContact({ kept, merged });
  const row = (name: string, read: (donor: typeof after) => string | null): PreviewRow => ({
    name,
    ofKept: read(kept),
    ofMerged: read(merged),
    after: read(after),
  });
  return [
    row('Name', fullName),
    {
      ...row('Email', ({ email }) => email),
      after: kept.email && merged.email ? 'Both' : after.email,
    },
    row('Phone', ({ phone }) => phone),
    row(
      'Address',
      ({ city, state, postal_code, country }) =>
        [city, state, postal_code, country].filter(Boolean).join(', ') || null,
    ),
  ];
}

function recordRows(
  c: DashboardContext,
  ofKept: DonorRecords,
  ofMerged: DonorRecords,
): PreviewRow[] {
  const { permissions } = c.var.organization;
  const row = (name: string, kind: keyof DonorRecords): PreviewRow => ({
    name,
    ofKept: ofKept[kind].toLocaleString(LOCALE),
    ofMerged: ofMerged[kind].toLocaleString(LOCALE),
    after: (ofKept[kind] + ofMerged[kind]).toLocaleString(LOCALE),
  });
  return [
    ...(permissions.has('donations:read')
      ? [
          row('Donations and their receipts', 'donations'),
          row('Recurring donations', 'recurringDonations'),
          row('Payments on their way or returned', 'payments'),
        ]
      : []),
    ...(permissions.has('registrations:read') ? [row('Event registrations', 'registrations')] : []),
    row('Notes', 'notes'),
  ];
}
