import { csvFileName, formatMoney, notFound } from '@connect-embed/contract';
import { Hono, type Context } from 'hono';
import { html } from 'hono/html';
import type { Selectable } from 'kysely';
import { forOrganization } from '../../../db/organization-scope.ts';
import type { Deps } from '../../deps.ts';
import { readPage } from '../../../resources/lists/page.ts';
import type { Database } from '../../../db/schema.ts';
import { isId } from '../../../lib/id.ts';
import { LOCALE } from '../../layout.ts';
import type { Html } from '../../../lib/html.ts';
import { requirePermission } from '../require-permission.ts';
import type { DashboardEnv } from '../env.ts';
import {
  calendarDateElement,
  dateElement,
  dashboardPage,
  timeZoneOf,
} from '../dashboard-layout.ts';
import { badge, empty, facts, pager, table, type Column, type Tone } from '../table.ts';
import { csvResponse } from '../lists/csv-response.ts';
import {
  partColumns,
  partLines,
  loadPartTotals,
  reconciliation,
  selectPayoutEntries,
  selectUnitemizedDonations,
  totalColumnsOfParts,
  type PayoutPart,
} from './payout-parts.ts';
import { pageFromQuery } from '../lists/page-from-query.ts';

type Payout = Selectable<Database['payout']>;

/**
 * Dashboard pages of payouts to the organization's bank account: the list, the page of one payout,
 * and the CSV export of its parts.
 */
export const payouts = (deps: Deps) => {
  const { db, cursorEncrypter } = deps;
  const find = async (c: Context<DashboardEnv>): Promise<Payout> => {
    const id = c.req.param('id') ?? '';
    const payout =
      isId(id) &&
      (await forOrganization(db, c.var.organization.organizationId)
        .selectFrom('payout')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirst());
    if (!payout) throw notFound('payout', id);
    return payout;
  };
  return new Hono<DashboardEnv>()
    .get('/', async (c) => {
      const { pageContext } = c.var;
      const { cursor, page } = pageFromQuery(c, 'payout');
      const select = forOrganization(db, c.var.organization.organizationId)
        .selectFrom('payout')
        .selectAll('payout');
      const { data, next_cursor: next } = await readPage(
        cursorEncrypter,
        page,
        select,
        (row) => row,
      );
      const content = html`<p class="muted">
          Payouts from the card processor to your bank account.
        </p>
        ${data.length ? table('Payouts', columnsAt(pageContext.path, timeZoneOf(pageContext)), data) : empty('No payouts yet.')}
        ${pager(pageContext.path, { cursor, next })}`;
      return c.html(dashboardPage(pageContext, 'Payouts', content));
    })
    .get('/:id', async (c) => {
      const { pageContext, organization } = c.var;
      const payout = await find(c);
      const list = `/dashboard/${organization.organizationId}/payouts`;
      const content = html`<section class="panel" aria-label="Payout">
          ${factsOf(payout, timeZoneOf(pageContext))}
        </section>
        ${await partsView(deps, c, payout)}`;
      const title = `Payout of ${amountOf(payout)}`;
      return c.html(
        dashboardPage(
          { ...pageContext, backLink: { href: list, text: 'Payouts' } },
          title,
          content,
        ),
      );
    })
    .get('/:id/export.csv', requirePermission('donations:read'), async (c) => {
      const { organizationName, timeZone } = c.var.organization;
      const payout = await find(c);
      const { itemized } = await loadPartTotals(db, payout);
      const arrival = payout.arrival_date.toISOString().slice(0, 10);
      const name = csvFileName('payout', organizationName, arrival, payout.id);
      return csvResponse(c, name, partLines(db, payout, { itemized, timeZone }));
    });
};

/** Renders the reconciliation of a payout and the list of its donations, refunds and disputes. */
async function partsView(deps: Deps, c: Context<DashboardEnv>, payout: Payout): Promise<Html> {
  const { db, cursorEncrypter } = deps;
  const { organization, pageContext } = c.var;
  const path = `/dashboard/${organization.organizationId}/payouts/${payout.id}`;
  const maySee = organization.permissions.has('donations:read');
  const donations = maySee ? `/dashboard/${organization.organizationId}/donations` : undefined;
  const { itemized, partTotals } = await loadPartTotals(db, payout);
  if (partTotals.length === 0) {
    return html`<h2>Donations in this payout</h2>
      ${empty('The card processor has not provided the details of this payout yet.')}`;
  }
  const filters = { payout_id: payout.id };
  const asPart = <Row extends PayoutPart>(row: Row): PayoutPart => row;
  const entries = pageFromQuery(c, 'payout_donation');
  const donationPage = pageFromQuery(c, 'donation');
  const { data, next_cursor: next } = itemized
    ? await readPage(
        cursorEncrypter,
        { ...entries.page, filters },
        selectPayoutEntries(db, payout),
        asPart,
      )
    : await readPage(
        cursorEncrypter,
        { ...donationPage.page, filters },
        selectUnitemizedDonations(db, payout),
        asPart,
      );
  const { rows, otherCents } = reconciliation(payout, partTotals);
  return html`<h2>Summary</h2>
    ${table('Summary', totalColumnsOfParts(payout), rows)}
    ${otherCents ? html`<p class="small muted">${itemized ? OTHER_TEXT : NOT_ITEMIZED_TEXT}</p>` : ''}
    <div class="head">
      <h2>Donations in this payout</h2>
      ${donations && html`<a class="button secondary" href="${path}/export.csv" download>Export CSV</a>`}
    </div>
    ${table('Donations in this payout', partColumns(donations, timeZoneOf(pageContext)), data)}
    ${pager(path, { cursor: entries.cursor, next })}`;
}

const OTHER_TEXT =
  'Other includes Stripe fees, adjustments, payments made outside Connect, and balances from earlier payouts.';
const NOT_ITEMIZED_TEXT =
  'Stripe has not itemized this payout. The list shows the donations known to be part of it. Refunds, disputes and Stripe fees are included in Other.';

const STATES: Record<string, [string, Tone]> = {
  pending: ['Pending', 'neutral'],
  in_transit: ['In transit', 'pending'],
  paid: ['Paid', 'positive'],
  failed: ['Failed', 'negative'],
  canceled: ['Canceled', 'neutral'],
};

const stateOf = ({ status }: Payout) => badge(...(STATES[status] ?? [status, 'neutral']));

const amountOf = ({ amount_cents, currency }: Payout) =>
  formatMoney(amount_cents, currency, LOCALE);

const columnsAt = (path: string, timeZone: string): Column<Payout>[] => [
  {
    head: 'Arrives',
    as: 'rowHeader',
    cell: ({ id, arrival_date }) =>
      html`<a href="${path}/${id}">${calendarDateElement(arrival_date)}</a>`,
  },
  { head: 'Created', cell: ({ created_at }) => dateElement(created_at, timeZone) },
  { head: 'Status', cell: stateOf },
  { head: 'Statement descriptor', cell: ({ statement_descriptor }) => statement_descriptor },
  { head: 'Amount', as: 'number', cell: amountOf },
];

const factsOf = (payout: Payout, timeZone: string) =>
  facts([
    ['Amount', amountOf(payout)],
    ['Status', stateOf(payout)],
    ['Failure reason', payout.failure_message],
    ['Created', dateElement(payout.created_at, timeZone)],
    ['Arrives', calendarDateElement(payout.arrival_date)],
    ['Statement descriptor', payout.statement_descriptor],
    ['Description', payout.description],
    ['Payout ID', html`<code>${payout.id}</code>`],
    [
      'Processor ID',
      payout.processor_payout_id && html`<code>${payout.processor_payout_id}</code>`,
    ],
  ]);
