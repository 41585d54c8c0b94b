import { formatDate, formatMoney, type PayoutTransaction } from '@connect-embed/contract';
import { html } from 'hono/html';
import { sql, type Selectable } from 'kysely';
import { forOrganization } from '@connect-embed/api/db/organization-scope';
import type { Db, Database } from '@connect-embed/api/db/schema';
import { amountCell, csvLines, exportHeading, type CsvColumn } from '@connect-embed/api/lib/csv';
import { ENTRY_TYPE, selectPayoutEntries } from '@connect-embed/api/resources/payout-entries';
import { LOCALE } from '@connect-embed/api/http/page-shell';
import { dateElement } from '../pages/dashboard-layout.ts';
import type { Column } from '../pages/table.ts';
import { readAllPages } from '../pages/lists/read-all-pages.ts';

type Payout = Selectable<Database['payout']>;

/** A donation, refund, dispute or other amount in a payout, with its share of the payout amount. */
export interface PayoutPart {
  id: string;
  created_at: Date;
  type: PayoutTransaction['type'];
  /** Negative for a refund or dispute. */
  amount_cents: number;
  fee_cents: number;
  currency: string;
  donation_id: string | null;
  donor_name: string | null;
  reference: string | null;
}

/** Selects the parts of a payout. */
export const selectPayoutParts = (db: Db, { id, organization_id }: Payout) =>
  selectPayoutEntries(forOrganization(db, organization_id))
    .where('payout_transaction.payout_id', '=', id)
    .select([
      'payout_transaction.id',
      'payout_transaction.created_at',
      ENTRY_TYPE.as('type'),
      'payout_transaction.amount_cents',
      'payout_transaction.fee_cents',
      'payout_transaction.currency',
      'donation.id as donation_id',
      'donation.donor_name',
      'donation.reference',
    ]);

/** Totals of all parts of one type. */
interface PartTotal {
  type: PayoutTransaction['type'];
  count: number;
  amount_cents: number;
  fee_cents: number;
}

/** Loads the totals of a payout by type. */
export const loadPartTotals = (db: Db, payout: Payout): Promise<PartTotal[]> =>
  db
    .selectFrom(selectPayoutParts(db, payout).as('part'))
    .groupBy('type')
    .select([
      'type',
      sql<number>`count(*)::float8`.as('count'),
      sql<number>`sum(amount_cents)::float8`.as('amount_cents'),
      sql<number>`sum(fee_cents)::float8`.as('fee_cents'),
    ])
    .execute();

/** Labels of the types of parts, in the order of the summary. */
export const PART_LABELS: Record<PayoutTransaction['type'], string> = {
  donation: 'Donation',
  payment: 'Other payment',
  refund: 'Refund',
  dispute: 'Dispute',
  other: 'Other',
};

/**
 * Returns the columns of the table of payout parts.
 *
 * @param donations URL path of the donation list; undefined for a member without `donations:read`
 */
export const partColumns = (
  donations: string | undefined,
  timeZone: string,
): Column<PayoutPart>[] => [
  {
    head: 'Type',
    as: 'rowHeader',
    cell: ({ type, donation_id, donor_name }) =>
      donations && donation_id
        ? html`<a href="${donations}/${donation_id}"
            >${PART_LABELS[type]}: ${donor_name ?? 'Anonymous'}</a
          >`
        : PART_LABELS[type],
  },
  { head: 'Date', cell: ({ created_at }) => dateElement(created_at, timeZone) },
  ...(donations
    ? [
        {
          head: 'Reference',
          cell: ({ reference }: PayoutPart) =>
            reference && html`<span class="reference">${reference}</span>`,
        },
      ]
    : []),
  { head: 'Gross', as: 'number', cell: (part) => money(part.amount_cents, part) },
  { head: 'Fee', as: 'number', cell: (part) => money(part.fee_cents, part) },
  { head: 'Net', as: 'number', cell: (part) => money(part.amount_cents - part.fee_cents, part) },
];

const money = (cents: number, { currency }: { currency: string }) =>
  formatMoney(cents, currency, LOCALE);

/** A row of the summary. The rows “Other” and “Payout” have no count, gross or fee. */
interface TotalRow {
  name: string;
  count: number | null;
  gross: number | null;
  fee: number | null;
  net: number;
}

const TOTAL_LABELS: Record<PayoutTransaction['type'], string> = {
  donation: 'Donations',
  payment: 'Other payments',
  refund: 'Refunds',
  dispute: 'Disputes',
  other: 'Other',
};
const TYPES = Object.keys(TOTAL_LABELS) as PayoutTransaction['type'][];

/** Lists the rows that explain the amount of a payout: one for each type of part, and their sum. */
export function summaryRows(partTotals: readonly PartTotal[]): TotalRow[] {
  const rows = TYPES.flatMap((type) =>
    partTotals
      .filter((total) => total.type === type)
      .map(({ count, amount_cents, fee_cents }) => ({
        name: TOTAL_LABELS[type],
        ...(type === 'other'
          ? { count: null, gross: null, fee: null }
          : { count, gross: amount_cents, fee: fee_cents }),
        net: amount_cents - fee_cents,
      })),
  );
  const net = rows.reduce((sum, row) => sum + row.net, 0);
  return [...rows, { name: 'Payout', count: null, gross: null, fee: null, net }];
}

export const totalColumnsOfParts = (payout: Payout): Column<TotalRow>[] => {
  const amount = (cents: number | null) => (cents === null ? '' : money(cents, payout));
  return [
    { head: 'Type', as: 'rowHeader', cell: ({ name }) => name },
    { head: 'Count', as: 'number', cell: ({ count }) => count?.toLocaleString(LOCALE) ?? '' },
    { head: 'Gross', as: 'number', cell: ({ gross }) => amount(gross) },
    { head: 'Fee', as: 'number', cell: ({ fee }) => amount(fee) },
    { head: 'Net', as: 'number', cell: ({ net }) => amount(net) },
  ];
};

/** Returns the CSV lines of all parts of a payout, newest first. Their net amounts add up to the payout. */
export const partLines = (db: Db, payout: Payout, timeZone: string): AsyncGenerator<string> =>
  csvLines<PayoutPart>(
    csvColumns(payout.id, timeZone),
    readAllPages(selectPayoutParts(db, payout), 'payout_transaction'),
  );

const csvColumns = (payoutId: string, timeZone: string): CsvColumn<PayoutPart>[] => [
  { heading: 'Type', cell: ({ type }) => PART_LABELS[type] },
  { heading: 'Donation ID', cell: ({ donation_id }) => donation_id },
  { heading: 'Reference', cell: ({ reference }) => reference },
  { heading: 'Donor', cell: ({ donor_name }) => donor_name },
  {
    heading: exportHeading('Created', timeZone),
    cell: ({ created_at }) => formatDate(created_at, 'file', { timeZone, locale: LOCALE }),
  },
  { heading: 'Currency', cell: ({ currency }) => currency.toUpperCase() },
  { heading: 'Gross', cell: (part) => amountCell(part.amount_cents, part.currency) },
  { heading: 'Fee', cell: (part) => amountCell(part.fee_cents, part.currency) },
  { heading: 'Net', cell: (part) => amountCell(part.amount_cents - part.fee_cents, part.currency) },
  { heading: 'Payout ID', cell: () => payoutId },
];
