import { Hono } from 'hono';
import { html } from 'hono/html';
import { forOrganization } from '@connect-embed/api/db/organization-scope';
import type { Deps } from '../pages/deps.ts';
import { csvResponse } from '@connect-embed/api/http/csv-response';
import { csvFileName } from '@connect-embed/api/lib/csv';
import { readPage } from '@connect-embed/api/resources/lists/page';
import { payoutExportList } from '@connect-embed/api/resources/payouts';
import type { Db } from '@connect-embed/api/db/schema';
import { findById } from '@connect-embed/api/lib/id';
import type { Html } from '@connect-embed/api/lib/html';
import { requirePermission } from '../pages/require-permission.ts';
import type { DashboardContext, DashboardEnv } from '../pages/env.ts';
import { calendarDateElement, dateElement } from '../pages/dashboard-layout.ts';
import { listView } from '../pages/list.ts';
import { organizationPath, renderPage } from '../pages/render-page.ts';
import { facts, table } from '../pages/table.ts';
import { amountOf, exportPayouts, renderPayoutList, stateOf, type Payout } from './payout-list.ts';
import {
  partColumns,
  partLines,
  loadPartTotals,
  selectPayoutParts,
  summaryRows,
  totalColumnsOfParts,
  unlistedCents,
  type PayoutPart,
} from './payout-parts.ts';

/**
 * Dashboard pages of payouts to the organization's bank account: the list with filters, the page of one
 * payout, and the CSV exports of both.
 */
export const payouts = (deps: Deps) => {
  const exported = payoutExportList(deps);
  return new Hono<DashboardEnv>()
    .get('/', (c) => renderPayoutList(c, deps))
    .get('/export.csv', (c) => exportPayouts(c, exported))
    .get('/unpaid', (c) => renderUnpaid(c, deps))
    .get('/unpaid/export.csv', requirePermission('donations:read'), (c) => exportUnpaid(c, deps.db))
    .get('/:id', (c) => renderPayout(c, deps))
    .get('/:id/export.csv', requirePermission('donations:read'), (c) => exportParts(c, deps.db));
};

async function loadPayout(c: DashboardContext, db: Db): Promise<Payout> {
  const id = c.req.param('id') ?? '';
  return await findById(
    'payout',
    id,
    forOrganization(db, c.var.organization.organizationId)
      .selectFrom('payout')
      .selectAll()
      .where('id', '=', id),
  );
}

async function renderPayout(c: DashboardContext, deps: Deps) {
  const payout = await loadPayout(c, deps.db);
  return renderPage(c, {
    title: `Payout of ${amountOf(payout)}`,
    backLink: { href: organizationPath(c, '/payouts'), text: 'Payouts' },
    content: html`<section class="panel" aria-label="Payout">
        ${factsOf(payout, c.var.organization.timeZone)}
      </section>
      ${await partsView(c, deps, payout)}`,
  });
}

async function exportParts(c: DashboardContext, db: Db) {
  const { organizationName, timeZone } = c.var.organization;
  const payout = await loadPayout(c, db);
  const arrival = payout.arrival_date.toISOString().slice(0, 10);
  const name = csvFileName('payout', organizationName, arrival, payout.id);
  return csvResponse(c, name, partLines(db, payout, timeZone));
}

/** Renders what Stripe has booked and no payout contains. */
async function renderUnpaid(c: DashboardContext, deps: Deps) {
  return renderPage(c, {
    title: 'Not paid out yet',
    backLink: { href: organizationPath(c, '/payouts'), text: 'Payouts' },
    content: html`<p class="muted">
        Donations, refunds, fees and other amounts in your balance at Stripe that no payout
        contains. Payouts that were made by hand are listed here with a minus, because Stripe does
        not say what is in them. New amounts appear within an hour.
      </p>
      ${await transactionsView(c, deps, {
        title: 'Transactions',
        path: organizationPath(c, '/payouts/unpaid'),
        id: null,
        empty: 'Everything is paid out.',
      })}`,
  });
}

async function exportUnpaid(c: DashboardContext, db: Db) {
  const { organizationId, organizationName, timeZone } = c.var.organization;
  const lines = partLines(db, { id: null, organization_id: organizationId }, timeZone);
  return csvResponse(c, csvFileName('not-paid-out', organizationName), lines);
}

/** Renders the reconciliation of a payout and the list of its transactions. */
async function partsView(c: DashboardContext, deps: Deps, payout: Payout): Promise<Html> {
  const partTotals = await loadPartTotals(deps.db, payout);
  return html`<h2>Summary</h2>
    ${table('Summary', totalColumnsOfParts(payout), summaryRows(payout, partTotals))}
    ${unlistedCents(payout, partTotals) ? html`<p class="small muted">${unlistedText(payout)}</p>` : ''}
    ${await transactionsView(c, deps, {
      title: 'Transactions in this payout',
      path: organizationPath(c, `/payouts/${payout.id}`),
      id: payout.id,
      empty: 'No transactions are listed.',
    })}`;
}

interface TransactionList {
  title: string;
  /** URL path of the page. Its export is below it. */
  path: string;
  /** Id of the payout; null for the transactions that no payout contains. */
  id: string | null;
  empty: string;
}

/** Renders a list of balance transactions with its export. */
async function transactionsView(
  c: DashboardContext,
  { db, cursorEncrypter }: Deps,
  { title, path, id, empty }: TransactionList,
): Promise<Html> {
  const { organizationId, permissions, timeZone } = c.var.organization;
  const donations = permissions.has('donations:read')
    ? organizationPath(c, '/donations')
    : undefined;
  const select = selectPayoutParts(db, { id, organization_id: organizationId });
  const list = await listView<PayoutPart>(c, {
    label: title,
    path,
    table: 'balance_transaction',
    filters: { payout_id: id ?? '' },
    read: (page) => readPage(cursorEncrypter, page, select, (row) => row),
    columns: partColumns(donations, timeZone),
    empty,
  });
  return html`<div class="head">
      <h2>${title}</h2>
      ${donations && html`<a class="button secondary" href="${path}/export.csv">Export CSV</a>`}
    </div>
    ${list}`;
}

/** Explains the row “Not listed by Stripe” of a payout. */
const unlistedText = ({ automatic, status }: Payout): string => {
  if (!automatic)
    return 'This payout was made by hand at Stripe, for example as an instant payout. Stripe does not say which transactions are in it.';
  if (status === 'pending' || status === 'in_transit')
    return 'Stripe lists the transactions of a payout when it has been paid.';
  return 'Not all transactions of this payout have been received from Stripe yet.';
};

const factsOf = (payout: Payout, timeZone: string) =>
  facts([
    ['Amount', amountOf(payout)],
    ['Status', stateOf(payout)],
    ['Failure reason', payout.failure_message],
    ['Created', dateElement(payout.created_at, timeZone)],
    ['Arrives', calendarDateElement(payout.arrival_date)],
    ['Statement descriptor', payout.statement_descriptor],
    ['Description', payout.description],
    ['Trace ID of the bank', payout.trace_id && html`<code>${payout.trace_id}</code>`],
    ['Payout ID', html`<code>${payout.id}</code>`],
    [
      'Processor ID',
      payout.processor_payout_id && html`<code>${payout.processor_payout_id}</code>`,
    ],
  ]);
