import { formatMoney } from '@connect-embed/contract';
import { html } from 'hono/html';
import type { Selectable } from 'kysely';
import type { Database, Db } from '@connect-embed/api/db/schema';
import { csvResponse } from '@connect-embed/api/http/csv-response';
import { csvFileName } from '@connect-embed/api/lib/csv';
import { readPage } from '@connect-embed/api/resources/lists/page';
import {
  PAYOUT_STATUS_TEXTS,
  payoutCsv,
  type ExportedPayout,
} from '@connect-embed/api/resources/payout-csv';
import {
  filterPayouts,
  type payoutExportList,
  type PayoutFilters,
} from '@connect-embed/api/resources/payouts';
import type { Deps } from '../pages/deps.ts';
import { LOCALE } from '@connect-embed/api/http/page-shell';
import { calendarDateElement, dateElement } from '../pages/dashboard-layout.ts';
import type { DashboardContext } from '../pages/env.ts';
import { exportableList } from '../pages/lists/exportable-list.ts';
import {
  amountFields,
  filterForm,
  INVALID_FILTERS,
  optionField,
  periodFields,
} from '../pages/lists/filter-form.ts';
import {
  readAmounts,
  readListFilters,
  readOption,
  type ListFilters,
} from '../pages/lists/list-filters.ts';
import { periodBounds } from '../pages/lists/period.ts';
import { organizationPath, renderPage } from '../pages/render-page.ts';
import { badge, badgeWithMode, type Column, type Tone } from '../pages/table.ts';

export type Payout = Selectable<Database['payout']>;

const STATUSES: Record<string, [string, Tone]> = {
  pending: [PAYOUT_STATUS_TEXTS.pending, 'neutral'],
  in_transit: [PAYOUT_STATUS_TEXTS.in_transit, 'pending'],
  paid: [PAYOUT_STATUS_TEXTS.paid, 'positive'],
  failed: [PAYOUT_STATUS_TEXTS.failed, 'negative'],
  canceled: [PAYOUT_STATUS_TEXTS.canceled, 'neutral'],
};

export const stateOf = (payout: Pick<Payout, 'status' | 'livemode'>) =>
  badgeWithMode(badge(...(STATUSES[payout.status] ?? [payout.status, 'neutral'])), payout);

export const amountOf = ({ amount_cents, currency }: Payout) =>
  formatMoney(amount_cents, currency, LOCALE);

interface PayoutView extends ListFilters {
  query: Partial<PayoutFilters>;
}

function readView(c: DashboardContext): PayoutView {
  const filters = readListFilters(c, ['status', 'min', 'max']);
  const status = readOption(filters.fields, 'status', Object.keys(STATUSES));
  const amounts = readAmounts(filters.fields, c.var.organization.currency);
  // The day of arrival is stored as midnight UTC.
  const { created_from: arrival_from, created_to: arrival_to } = periodBounds(filters.days, 'UTC');
  const query = {
    ...(arrival_from && { arrival_from }),
    ...(arrival_to && { arrival_to }),
    ...(status && { status }),
    ...amounts,
  };
  return { ...filters, query };
}

const selectPayouts = (db: Db, organizationId: string, query: PayoutView['query']) =>
  filterPayouts(db, organizationId, query).selectAll('payout');

export async function renderPayoutList(
  c: DashboardContext,
  { readDatabase, cursorEncrypter }: Deps,
) {
  const path = organizationPath(c, '/payouts');
  const { organizationId, timeZone, currency } = c.var.organization;
  const view = readView(c);
  const { fields, params, query } = view;
  const statuses = Object.entries(STATUSES).map(([value, [text]]) => ({ value, text }));
  const form = filterForm(
    path,
    view,
    html`${periodFields(fields, 'Arrives')}
    ${optionField(fields, { name: 'status', label: 'Status' }, statuses)}
    ${amountFields(fields, currency)}`,
  );
  if (fields.hasErrors)
    return renderPage(c, { title: 'Payouts', content: form, problem: INVALID_FILTERS });
  const select = selectPayouts(readDatabase.for(organizationId), organizationId, query);
  const list = await exportableList(c, {
    label: 'Payouts',
    noun: 'payout',
    path,
    table: 'payout',
    filters: query,
    view,
    select,
    read: (page) => readPage(cursorEncrypter, page, select, (row) => row),
    columns: payoutColumns(path, timeZone),
    empty: Object.keys(params).length > 0 ? 'No payouts match.' : 'No payouts yet.',
  });
  const content = html`<p class="muted">
      Payouts from the card processor to your bank account. What is still in your balance there is
      <a href="${path}/unpaid">not paid out yet</a>.
    </p>
    ${form} ${list}`;
  return renderPage(c, { title: 'Payouts', content });
}

/** @param path URL path of the payouts, to which the id is appended */
export const payoutColumns = (path: string, timeZone: string): Column<Payout>[] => [
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

/** Exports exactly the payouts of the list. */
export async function exportPayouts(
  c: DashboardContext,
  list: ReturnType<typeof payoutExportList>,
) {
  const { organization } = c.var;
  const { fields, query, period } = readView(c);
  if (fields.hasErrors)
    return c.redirect(`${organizationPath(c, '/payouts')}${new URL(c.req.url).search}`, 303);
  const name = csvFileName('payouts', organization.organizationName, period);
  const pages = list.readAll<ExportedPayout>(organization, query);
  return csvResponse(c, name, payoutCsv(pages, organization.timeZone, { withFailureReason: true }));
}
