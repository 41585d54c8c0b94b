import { csvFileName, formatMoney, notFound } from '@connect-embed/contract';
import { Hono, type Context } from 'hono';
import { html } from 'hono/html';
import type { Selectable } from 'kysely';
import type { Deps } from '../../../env.ts';
import { readPage } from '../../../db/page.ts';
import type { Database } from '../../../db/schema.ts';
import { isId } from '../../../id.ts';
import { LOCALE, type Html } from '../../layout.ts';
import { requirePermission } from '../require-permission.ts';
import type { DashboardEnv } from '../dashboard.ts';
import { calendarDay, day, frame, timeZoneOf } from '../dashboard-layout.ts';
import { badge, empty, facts, pager, table, type Column, type Tone } from '../table.ts';
import { csvResponse } from './csv-response.ts';
import {
  partColumns,
  partLines,
  readPartSums,
  reconciliation,
  selectEntries,
  selectUnitemizedDonations,
  sumColumns,
  type PayoutPart,
} from './payout-parts.ts';
import { pageFromQuery } from './page-from-query.ts';

type Payout = Selectable<Database['payout']>;

/**
 * Dashboard pages of payouts to the organization's bank account: list, one payout, and its CSV
 * export.
 */
export const payouts = (deps: Deps) => {
  const { db, cursorEncrypter } = deps;
  const find = async (c: Context<DashboardEnv>): Promise<Payout> => {
    const id = c.req.param('id') ?? '';
    const payout =
      isId(id) &&
      (await db
        .selectFrom('payout')
        .selectAll()
        .where('organization_id', '=', c.var.organization.organizationId)
        .where('id', '=', id)
        .executeTakeFirst());
    if (!payout) throw notFound('payout', id);
    return payout;
  };
  return new Hono<DashboardEnv>()
    .get('/', async (c) => {
      const { place } = c.var;
      const { cursor, page } = pageFromQuery(c, 'payout');
      const select = db.selectFrom('payout').selectAll('payout');
      const { data, next_cursor: next } = await readPage(cursorEncrypter, page, select, (row) => row);
      const content = html`<p class="quiet">
          Payouts from the card processor to your bank account.
        </p>
        ${data.length ? table('Payouts', columnsAt(place.path, timeZoneOf(place)), data) : empty('No payouts yet.')}
        ${pager(place.path, { cursor, next })}`;
      return c.html(frame(place, 'Payouts', content));
    })
    .get('/:id', async (c) => {
      const { place, organization } = c.var;
      const payout = await find(c);
      const list = `/dashboard/${organization.organizationId}/payouts`;
      const content = html`<section class="panel" aria-label="Payout">
          ${factsOf(payout, timeZoneOf(place))}
        </section>
        ${await partsView(deps, c, payout)}`;
      const title = `Payout of ${amountOf(payout)}`;
      return c.html(frame({ ...place, back: { href: list, text: 'Payouts' } }, title, content));
    })
    .get('/:id/export.csv', requirePermission('donations:read'), async (c) => {
      const { organizationName, timeZone } = c.var.organization;
      const payout = await find(c);
      const { itemized } = await readPartSums(db, payout);
      const arrival = payout.arrival_date.toISOString().slice(0, 10);
      const name = csvFileName('payout', organizationName, arrival, payout.id);
      return csvResponse(c, name, partLines(db, payout, { itemized, timeZone }));
    });
};

/** The reconciliation of a payout and the list of its donations, refunds and disputes. */
async function partsView(deps: Deps, c: Context<DashboardEnv>, payout: Payout): Promise<Html> {
  const { db, cursorEncrypter } = deps;
  const { organization, place } = c.var;
  const path = `/dashboard/${organization.organizationId}/payouts/${payout.id}`;
  const maySee = organization.permissions.has('donations:read');
  const donations = maySee ? `/dashboard/${organization.organizationId}/donations` : undefined;
  const { itemized, sums } = await readPartSums(db, payout);
  if (sums.length === 0) {
    return html`<h2>Donations in this payout</h2>
      ${empty('The card processor has not provided the details of this payout yet.')}`;
  }
  const filters = { payout_id: payout.id };
  const as = <Row extends PayoutPart>(row: Row): PayoutPart => row;
  const entries = pageFromQuery(c, 'payout_donation');
  const donationPage = pageFromQuery(c, 'donation');
  const { data, next_cursor: next } = itemized
    ? await readPage(cursorEncrypter, { ...entries.page, filters }, selectEntries(db, payout.id), as)
    : await readPage(
        cursorEncrypter,
        { ...donationPage.page, filters },
        selectUnitemizedDonations(db, payout.id),
        as,
      );
  const { rows, other } = reconciliation(payout, sums);
  return html`<h2>Summary</h2>
    ${table('Summary', sumColumns(payout), rows)}
    ${other ? html`<p class="small quiet">${itemized ? OTHER : NOT_ITEMIZED}</p>` : ''}
    <div class="head">
      <h2>Donations in this payout</h2>
      ${donations && html`<a class="button second" href="${path}/export.csv" download>Export CSV</a>`}
    </div>
    ${table('Donations in this payout', partColumns(donations, timeZoneOf(place)), data)}
    ${pager(path, { cursor: entries.cursor, next })}`;
}

const OTHER =
  'Other includes Stripe fees, adjustments, payments made outside Connect, and balances from earlier payouts.';
const NOT_ITEMIZED =
  'Stripe has not itemized this payout. The list shows the donations known to be part of it. Refunds, disputes and Stripe fees are included in Other.';

const STATES: Record<string, [string, Tone]> = {
  pending: ['Pending', 'still'],
  in_transit: ['In transit', 'wait'],
  paid: ['Paid', 'good'],
  failed: ['Failed', 'bad'],
  canceled: ['Canceled', 'still'],
};

const stateOf = ({ status }: Payout) => badge(...(STATES[status] ?? [status, 'still']));

const amountOf = ({ amount_cents, currency }: Payout) =>
  formatMoney(amount_cents, currency, LOCALE);

const columnsAt = (path: string, timeZone: string): Column<Payout>[] => [
  {
    head: 'Arrives',
    as: 'row',
    cell: ({ id, arrival_date }) => html`<a href="${path}/${id}">${calendarDay(arrival_date)}</a>`,
  },
  { head: 'Created', cell: ({ created_at }) => day(created_at, timeZone) },
  { head: 'Status', cell: stateOf },
  { head: 'Statement descriptor', cell: ({ statement_descriptor }) => statement_descriptor },
  { head: 'Amount', as: 'number', cell: amountOf },
];

const factsOf = (payout: Payout, timeZone: string) =>
  facts([
    ['Amount', amountOf(payout)],
    ['Status', stateOf(payout)],
    ['Failure reason', payout.failure_message],
    ['Created', day(payout.created_at, timeZone)],
    ['Arrives', calendarDay(payout.arrival_date)],
    ['Statement descriptor', payout.statement_descriptor],
    ['Description', payout.description],
    ['Payout ID', html`<code>${payout.id}</code>`],
    [
      'Processor ID',
      payout.processor_payout_id && html`<code>${payout.processor_payout_id}</code>`,
    ],
  ]);
