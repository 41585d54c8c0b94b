import { formatMoney, isDebit } from '@connect-embed/contract';
import { html } from 'hono/html';
import { sql, type SelectQueryBuilder } from 'kysely';
import { isCounted } from '@connect-embed/api/db/counted';
import { forOrganization } from '@connect-embed/api/db/organization-scope';
import type { Database, Db } from '@connect-embed/api/db/schema';
import { csvResponse } from '@connect-embed/api/http/csv-response';
import { LOCALE } from '@connect-embed/api/http/page-shell';
import {
  amountCell,
  csvFileName,
  csvLines,
  LIVEMODE_COLUMN,
  timeColumn,
  type CsvColumn,
} from '@connect-embed/api/lib/csv';
import type { Html } from '@connect-embed/api/lib/html';
import { readPage } from '@connect-embed/api/resources/lists/page';
import { applyFilters, type FilterRules } from '@connect-embed/api/resources/search/apply-filters';
import { dateElement } from '../pages/dashboard-layout.ts';
import type { Deps } from '../pages/deps.ts';
import type { DashboardContext } from '../pages/env.ts';
import { tabs } from '../pages/list.ts';
import { exportableList } from '../pages/lists/exportable-list.ts';
import {
  choices,
  filterForm,
  INVALID_FILTERS,
  optionField,
  periodFields,
  testsField,
} from '../pages/lists/filter-form.ts';
import { hasHiddenTests } from '../pages/lists/filter-targets.ts';
import { readListFilters, readMode, readOption } from '../pages/lists/list-filters.ts';
import { readAllPages } from '../pages/lists/read-all-pages.ts';
import { organizationPath, renderPage } from '../pages/render-page.ts';
import { badge, badgeWithMode, type Column } from '../pages/table.ts';
import { DISPUTE_STATUSES, reasonText, refundStatus } from './refund-and-dispute-status.ts';

type Filters = Record<'created_from' | 'created_to' | 'status' | 'livemode', string>;

/** What refunds and disputes have in common. */
interface Row {
  id: string;
  created_at: Date;
  amount_cents: number;
  reason: string | null;
  donation_id: string;
  donor_name: string | null;
  reference: string;
  currency: string;
  livemode: boolean;
}

/** A list of refunds or of disputes, by their own date. */
interface List<Listed extends Row> {
  title: string;
  noun: string;
  table: 'refund' | 'donation_dispute';
  /** Last segment of the URL path, and of the name of the exported file. */
  path: 'refunds' | 'disputes';
  /** Texts of the filter by status. */
  statuses: Record<string, string>;
  select: (
    db: Db,
    organizationId: string,
    filters: Partial<Filters>,
  ) => SelectQueryBuilder<Database, keyof Database, Listed>;
  statusOf: (row: Listed) => Parameters<typeof badge>;
  /** Columns between the status and the amount. */
  columns: (timeZone: string) => Column<Listed>[];
  csv: (timeZone: string) => CsvColumn<Listed>[];
}

const DONATION_COLUMNS = [
  'donation.id as donation_id',
  'donation.donor_name',
  'donation.reference',
  'donation.currency',
  'donation.livemode',
  'donation.payment_method',
] as const;

const REFUND_FILTERS: FilterRules<Filters> = {
  created_from: (value) => sql`refund.created_at >= ${value}::timestamptz`,
  created_to: (value) => sql`refund.created_at < ${value}::timestamptz`,
  status: (value) => sql`${value} = case refund.status
    when 'requested' then 'pending' when 'submitted' then 'pending' else refund.status end`,
  livemode: (value) => sql`donation.livemode = ${value}::boolean`,
};

export const selectRefunds = (db: Db, organizationId: string, filters: Partial<Filters>) =>
  applyFilters(
    forOrganization(db, organizationId)
      .selectFrom('refund')
      .innerJoin('donation', 'donation.id', 'refund.donation_id')
      // Those that Stripe has not created yet are not refunds.
      .where('refund.processor_refund_id', 'is not', null)
      .$if(filters.livemode === undefined, (refunds) =>
        refunds.where(isCounted('donation', organizationId)),
      )
      .selectAll('refund')
      .select(DONATION_COLUMNS),
    REFUND_FILTERS,
    filters,
  );

const REFUNDS: List<Awaited<ReturnType<ReturnType<typeof selectRefunds>['execute']>>[number]> = {
  title: 'Refunds',
  noun: 'refund',
  table: 'refund',
  path: 'refunds',
  statuses: { pending: 'Pending', succeeded: 'Refunded', failed: 'Failed or canceled' },
  select: selectRefunds,
  statusOf: refundStatus,
  columns: () => [
    {
      head: 'Reason',
      cell: ({ failure_reason, reason }) => reasonText(failure_reason ?? reason),
    },
    {
      head: 'Reference',
      cell: ({ reference }) => html`<span class="reference">${reference}</span>`,
    },
  ],
  csv: () => [
    { heading: 'Failure reason', cell: ({ failure_reason }) => failure_reason },
    { heading: 'Note', cell: ({ note }) => note },
    { heading: 'Stripe refund', cell: ({ processor_refund_id }) => processor_refund_id },
  ],
};

const DISPUTE_FILTERS: FilterRules<Filters> = {
  created_from: (value) => sql`donation_dispute.created_at >= ${value}::timestamptz`,
  created_to: (value) => sql`donation_dispute.created_at < ${value}::timestamptz`,
  status: (value) => sql`donation_dispute.status = ${value}`,
  livemode: (value) => sql`donation.livemode = ${value}::boolean`,
};

const selectDisputes = (db: Db, organizationId: string, filters: Partial<Filters>) =>
  applyFilters(
    forOrganization(db, organizationId)
      .selectFrom('donation_dispute')
      .innerJoin('donation', 'donation.id', 'donation_dispute.donation_id')
      .$if(filters.livemode === undefined, (disputes) =>
        disputes.where(isCounted('donation', organizationId)),
      )
      .selectAll('donation_dispute')
      .select(DONATION_COLUMNS),
    DISPUTE_FILTERS,
    filters,
  );

type Dispute = Awaited<ReturnType<ReturnType<typeof selectDisputes>['execute']>>[number];

/** A debit that the bank took back cannot be contested. */
const respondBy = ({ evidence_due_at, payment_method }: Dispute) =>
  isDebit(payment_method) ? null : evidence_due_at;

const DISPUTES: List<Dispute> = {
  title: 'Disputes',
  noun: 'dispute',
  table: 'donation_dispute',
  path: 'disputes',
  statuses: Object.fromEntries(
    Object.entries(DISPUTE_STATUSES).map(([status, [text]]) => [status, text]),
  ),
  select: selectDisputes,
  statusOf: ({ status }) => DISPUTE_STATUSES[status],
  columns: (timeZone) => [
    { head: 'Reason', cell: ({ reason }) => reasonText(reason) },
    {
      head: 'Respond by',
      cell: (dispute) => {
        const due = respondBy(dispute);
        return due && dateElement(due, timeZone);
      },
    },
  ],
  csv: (timeZone) => [
    timeColumn('Respond by', timeZone, respondBy),
    { heading: 'Stripe dispute', cell: ({ processor_dispute_id }) => processor_dispute_id },
  ],
};

/** Handlers of the page of a list and of its export. */
const pagesOf = <Listed extends Row>(list: List<Listed>, deps: Deps) => ({
  show: (c: DashboardContext) => renderList(c, deps, list),
  exported: (c: DashboardContext) => exportList(c, deps, list),
});

export const refundPages = (deps: Deps) => pagesOf(REFUNDS, deps);
export const disputePages = (deps: Deps) => pagesOf(DISPUTES, deps);

/** Renders links from the list of donations to those of refunds and disputes, and between them. */
export const donationTabs = (c: DashboardContext): Html => {
  const links = [
    ['Donations', '/donations'],
    ['Refunds', '/donations/refunds'],
    ['Disputes', '/donations/disputes'],
  ] as const;
  return tabs(
    'Donations, refunds and disputes',
    links.map(([text, path]) => {
      const href = organizationPath(c, path);
      return { text, href, current: c.req.path === href };
    }),
  );
};

function readView<Listed extends Row>(c: DashboardContext, { statuses }: List<Listed>) {
  const filters = readListFilters(c, ['status', 'mode']);
  const status = readOption(filters.fields, 'status', Object.keys(statuses));
  const query = { ...filters.bounds, ...(status && { status }), ...readMode(filters.fields) };
  return { ...filters, query };
}

async function renderList<Listed extends Row>(
  c: DashboardContext,
  { db, cursorEncrypter }: Deps,
  list: List<Listed>,
) {
  const { organizationId, timeZone } = c.var.organization;
  const { title, noun, table, statuses } = list;
  const path = organizationPath(c, `/donations/${list.path}`);
  const view = readView(c, list);
  const hasTests = await hasHiddenTests(db, organizationId);
  const form = html`${donationTabs(c)}
  ${filterForm(
    path,
    view,
    html`${periodFields(view.fields)}
    ${optionField(view.fields, { name: 'status', label: 'Status' }, choices(statuses))}
    ${testsField(view.fields, hasTests)}`,
  )}`;
  if (view.fields.hasErrors)
    return renderPage(c, { title, content: form, problem: INVALID_FILTERS });
  const select = list.select(db, organizationId, view.query);
  const rows = await exportableList(c, {
    label: title,
    noun,
    path,
    table,
    view,
    select,
    filters: view.query,
    read: (page) => readPage(cursorEncrypter, page, select, (row) => row as Listed),
    columns: columnsOf(c, list, timeZone),
    empty: Object.keys(view.params).length > 0 ? `No ${noun}s match.` : `No ${noun}s yet.`,
  });
  return renderPage(c, { title, content: html`${form} ${rows}` });
}

const columnsOf = <Listed extends Row>(
  c: DashboardContext,
  { columns, statusOf }: List<Listed>,
  timeZone: string,
): Column<Listed>[] => [
  {
    head: 'Donation',
    as: 'rowHeader',
    cell: ({ donation_id, donor_name }) =>
      html`<a href="${organizationPath(c, `/donations/${donation_id}`)}"
        >${donor_name ?? 'Anonymous'}</a
      >`,
  },
  { head: 'Date', cell: ({ created_at }) => dateElement(created_at, timeZone) },
  { head: 'Status', cell: (row) => badgeWithMode(badge(...statusOf(row)), row) },
  ...columns(timeZone),
  {
    head: 'Amount',
    as: 'number',
    cell: ({ amount_cents, currency }) => formatMoney(amount_cents, currency, LOCALE),
  },
];

async function exportList<Listed extends Row>(
  c: DashboardContext,
  { db }: Deps,
  list: List<Listed>,
) {
  const { organizationId, organizationName, timeZone } = c.var.organization;
  const view = readView(c, list);
  if (view.fields.hasErrors) {
    const path = organizationPath(c, `/donations/${list.path}`);
    return c.redirect(`${path}${new URL(c.req.url).search}`, 303);
  }
  const columns: CsvColumn<Listed>[] = [
    { heading: `${list.title.slice(0, -1)} ID`, cell: ({ id }) => id },
    timeColumn('Created', timeZone, ({ created_at }) => created_at),
    { heading: 'Status', cell: (row) => list.statusOf(row)[0] },
    { heading: 'Currency', cell: ({ currency }) => currency.toUpperCase() },
    { heading: 'Amount', cell: ({ amount_cents, currency }) => amountCell(amount_cents, currency) },
    { heading: 'Donation ID', cell: ({ donation_id }) => donation_id },
    { heading: 'Reference', cell: ({ reference }) => reference },
    { heading: 'Donor', cell: ({ donor_name }) => donor_name },
    { heading: 'Reason', cell: ({ reason }) => reason },
    ...list.csv(timeZone),
    LIVEMODE_COLUMN,
  ];
  const rows = readAllPages(list.select(db, organizationId, view.query), list.table);
  const name = csvFileName(list.path, organizationName, view.period);
  return csvResponse(c, name, csvLines<Listed>(columns, rows as AsyncGenerator<Listed[]>));
}
