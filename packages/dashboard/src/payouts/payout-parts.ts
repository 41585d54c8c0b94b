import {
  formatMoney,
  BALANCE_TRANSACTION_KINDS,
  balanceTransactionKind,
  type BalanceTransactionKind,
  type FeeDetail,
} from '@connect-embed/contract';
import { html } from 'hono/html';
import { sql, type Selectable } from 'kysely';
import { isCounted } from '@connect-embed/api/db/counted';
import { forOrganization } from '@connect-embed/api/db/organization-scope';
import type { Db, Database } from '@connect-embed/api/db/schema';
import { amountCell, csvLines, timeColumn, type CsvColumn } from '@connect-embed/api/lib/csv';
import {
  IS_MANUAL_PAYOUT,
  selectBalanceTransactions,
} from '@connect-embed/api/resources/balance-transactions';
import { groupBy } from '@connect-embed/api/lib/group-by';
import { LOCALE } from '@connect-embed/api/http/page-shell';
import { dateElement } from '../pages/dashboard-layout.ts';
import type { Column } from '../pages/table.ts';
import { readAllPages } from '../pages/lists/read-all-pages.ts';

type Payout = Selectable<Database['payout']>;
type PayoutOrNone = { id: string | null; organization_id: string };

/** A transaction of a payout, with its share of the payout amount. */
export interface PayoutPart {
  id: string;
  created_at: Date;
  reporting_category: string;
  /** Negative if it reduces the payout. */
  amount_cents: number;
  fee_cents: number;
  fee_details: FeeDetail[];
  currency: string;
  exchange_rate: number | null;
  available_on: Date | null;
  processor_transaction_id: string | null;
  processor_source_id: string | null;
  donation_id: string | null;
  donor_name: string | null;
  reference: string | null;
  is_manual_payout: boolean;
}

/** Selects the transactions of a payout; with the id null, those that no payout contains, without tests that do not count. */
export const selectPayoutParts = (db: Db, { id, organization_id }: PayoutOrNone) =>
  selectBalanceTransactions(forOrganization(db, organization_id))
    .where('balance_transaction.payout_id', id === null ? 'is' : '=', id)
    .$if(id === null, (unpaid) =>
      unpaid.where((eb) =>
        eb.or([eb('donation.id', 'is', null), isCounted('donation', organization_id)]),
      ),
    )
    .select([
      'balance_transaction.id',
      'balance_transaction.created_at',
      'balance_transaction.reporting_category',
      'balance_transaction.amount_cents',
      'balance_transaction.fee_cents',
      'balance_transaction.fee_details',
      'balance_transaction.currency',
      'balance_transaction.exchange_rate',
      'balance_transaction.available_on',
      'balance_transaction.processor_transaction_id',
      'balance_transaction.processor_source_id',
      'donation.id as donation_id',
      'donation.donor_name',
      'donation.reference',
      IS_MANUAL_PAYOUT.as('is_manual_payout'),
    ]);

/** Kinds of transactions on these pages, which tell payouts made by hand from others. */
type PartKind = BalanceTransactionKind | 'manualPayout';

const kindOf = ({
  is_manual_payout = false,
  ...part
}: Parameters<typeof balanceTransactionKind>[0] & { is_manual_payout?: boolean }): PartKind =>
  is_manual_payout ? 'manualPayout' : balanceTransactionKind(part);

/** Totals of all transactions of one kind. */
interface PartTotal {
  kind: PartKind;
  count: number;
  amount_cents: number;
  fee_cents: number;
}

export async function loadPartTotals(db: Db, payout: Payout): Promise<PartTotal[]> {
  const rows = await db
    .selectFrom(selectPayoutParts(db, payout).as('part'))
    .groupBy(['reporting_category', 'is_manual_payout', sql`donation_id is null`])
    .select([
      'reporting_category',
      'is_manual_payout',
      sql<string | null>`min(donation_id)`.as('donation_id'),
      sql<number>`count(*)::float8`.as('count'),
      sql<number>`sum(amount_cents)::float8`.as('amount_cents'),
      sql<number>`sum(fee_cents)::float8`.as('fee_cents'),
    ])
    .execute();
  return [...groupBy(rows, kindOf)].map(([kind, ofKind]) => ({
    kind,
    count: ofKind.reduce((sum, { count }) => sum + count, 0),
    amount_cents: ofKind.reduce((sum, { amount_cents }) => sum + amount_cents, 0),
    fee_cents: ofKind.reduce((sum, { fee_cents }) => sum + fee_cents, 0),
  }));
}

/** Names of the kinds of transactions: of one, and of several in the summary. */
const LABELS: Record<PartKind, [one: string, several: string]> = {
  donation: ['Donation', 'Donations'],
  payment: ['Other payment', 'Other payments'],
  failedPayment: ['Failed payment', 'Failed payments'],
  refund: ['Refund', 'Refunds'],
  failedRefund: ['Failed refund', 'Failed refunds'],
  dispute: ['Dispute', 'Disputes'],
  disputeReversal: ['Dispute won', 'Disputes won'],
  fee: ['Stripe fee', 'Stripe fees'],
  tax: ['Tax', 'Taxes'],
  earlierPayout: ['Earlier payout', 'Earlier payouts'],
  manualPayout: ['Payout made by hand', 'Payouts made by hand'],
  returnedPayout: ['Returned payout', 'Returned payouts'],
  reserve: ['Reserve', 'Reserves'],
  transfer: ['Transfer', 'Transfers'],
  topUp: ['Top-up', 'Top-ups'],
  contribution: ['Contribution', 'Contributions'],
  financing: ['Financing', 'Financing'],
  adjustment: ['Adjustment', 'Adjustments'],
};

/** Names a transaction in plain words. */
export const partLabel = (part: Parameters<typeof kindOf>[0]) => LABELS[kindOf(part)][0];

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
    cell: (part) =>
      donations && part.donation_id
        ? html`<a href="${donations}/${part.donation_id}"
            >${partLabel(part)}: ${part.donor_name ?? 'Anonymous'}</a
          >`
        : partLabel(part),
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

/** A row of the summary. The row “Payout” and what Stripe has not listed have no count, gross or fee. */
interface TotalRow {
  name: string;
  count: number | null;
  gross: number | null;
  fee: number | null;
  net: number;
}

/** Returns the part of a payout that no transaction explains, because Stripe has not listed it. */
export const unlistedCents = (payout: Payout, partTotals: readonly PartTotal[]) =>
  partTotals.reduce((rest, total) => rest - netOf(total), payout.amount_cents);

const netOf = ({ amount_cents, fee_cents }: PartTotal) => amount_cents - fee_cents;

const PART_KINDS: readonly PartKind[] = [...BALANCE_TRANSACTION_KINDS, 'manualPayout'];

/** Lists the rows that explain the amount of a payout: one for each kind of transaction, and their sum. */
export function summaryRows(payout: Payout, partTotals: readonly PartTotal[]): TotalRow[] {
  const rows = PART_KINDS.flatMap((kind) =>
    partTotals
      .filter((total) => total.kind === kind)
      .map((total) => ({
        name: LABELS[kind][1],
        count: total.count,
        gross: total.amount_cents,
        fee: total.fee_cents,
        net: netOf(total),
      })),
  );
  const sumRow = (name: string, net: number) => ({
    name,
    count: null,
    gross: null,
    fee: null,
    net,
  });
  const unlisted = unlistedCents(payout, partTotals);
  return [
    ...rows,
    ...(unlisted ? [sumRow('Not listed by Stripe', unlisted)] : []),
    sumRow('Payout', payout.amount_cents),
  ];
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

/** Returns the CSV lines of all transactions of a payout, or of those that no payout contains, newest first. */
export const partLines = (
  db: Db,
  payout: PayoutOrNone & Partial<Pick<Payout, 'trace_id'>>,
  timeZone: string,
): AsyncGenerator<string> =>
  csvLines<PayoutPart>(
    csvColumns(payout, timeZone),
    readAllPages(selectPayoutParts(db, payout), 'balance_transaction'),
  );

const csvColumns = (
  { id: payoutId, trace_id = null }: Parameters<typeof partLines>[1],
  timeZone: string,
): CsvColumn<PayoutPart>[] => [
  { heading: 'Type', cell: partLabel },
  { heading: 'Donation ID', cell: ({ donation_id }) => donation_id },
  { heading: 'Reference', cell: ({ reference }) => reference },
  { heading: 'Donor', cell: ({ donor_name }) => donor_name },
  timeColumn('Created', timeZone, ({ created_at }) => created_at),
  { heading: 'Currency', cell: ({ currency }) => currency.toUpperCase() },
  { heading: 'Gross', cell: (part) => amountCell(part.amount_cents, part.currency) },
  { heading: 'Fee', cell: (part) => amountCell(part.fee_cents, part.currency) },
  { heading: 'Net', cell: (part) => amountCell(part.amount_cents - part.fee_cents, part.currency) },
  { heading: 'Payout ID', cell: () => payoutId },
  { heading: 'Stripe category', cell: ({ reporting_category }) => reporting_category },
  { heading: 'Stripe transaction', cell: (part) => part.processor_transaction_id },
  { heading: 'Stripe source', cell: (part) => part.processor_source_id },
  timeColumn('Available', timeZone, ({ available_on }) => available_on),
  { heading: 'Exchange rate', cell: ({ exchange_rate }) => exchange_rate?.toString() ?? null },
  { heading: 'Fee details', cell: ({ fee_details }) => fee_details.map(feeText).join('; ') },
  { heading: 'Trace ID', cell: () => trace_id },
];

const feeText = ({ type, description, amount_cents, currency }: FeeDetail) =>
  `${description ?? type}: ${formatMoney(amount_cents, currency, LOCALE)}`;
