import {
  exportHeading,
  formatDate,
  formatMoney,
  type PayoutDonation,
} from '@connect-embed/contract';
import { html } from 'hono/html';
import { sql, type Selectable } from 'kysely';
import { forOrganization } from '../../../db/organization-scope.ts';
import type { Db, Database } from '../../../db/schema.ts';
import { LOCALE } from '../../layout.ts';
import { dateElement } from '../dashboard-layout.ts';
import type { Column } from '../table.ts';
import { csvLines, readAllPages, type CsvColumn } from '../lists/csv-response.ts';
import { amountCell } from '../donations/donation-csv.ts';

type Payout = Selectable<Database['payout']>;

/** A donation, refund or dispute in a payout, with its share of the payout amount. */
export interface PayoutPart {
  id: string;
  created_at: Date;
  type: PayoutDonation['type'];
  /** Negative for a refund or dispute. */
  amount_cents: number;
  fee_cents: number;
  currency: string;
  donation_id: string | null;
  donor_name: string | null;
  reference: string | null;
}

/** Selects the parts of a payout as itemized by Stripe. */
export const selectPayoutEntries = (db: Db, { id, organization_id }: Payout) =>
  forOrganization(db, organization_id)
    .selectFrom('payout_donation')
    .leftJoin('donation', (join) =>
      join
        .onRef('donation.organization_id', '=', 'payout_donation.organization_id')
        .onRef(
          'donation.processor_payment_intent_id',
          '=',
          'payout_donation.processor_payment_intent_id',
        ),
    )
    .where('payout_donation.payout_id', '=', id)
    .select([
      'payout_donation.id',
      'payout_donation.created_at',
      'payout_donation.type',
      'payout_donation.amount_cents',
      'payout_donation.fee_cents',
      'payout_donation.currency',
      'donation.id as donation_id',
      'donation.donor_name',
      'donation.reference',
    ]);

/**
 * Selects donations by their `payout_id`, for a payout that Stripe does not itemize, such as an
 * imported one.
 */
export const selectUnitemizedDonations = (db: Db, { id, organization_id }: Payout) =>
  forOrganization(db, organization_id)
    .selectFrom('donation')
    .where('donation.payout_id', '=', id)
    .select([
      'donation.id',
      'donation.created_at',
      sql<'donation'>`'donation'`.as('type'),
      'donation.amount_cents',
      sql<number>`coalesce(donation.fee_cents, 0)::float8`.as('fee_cents'),
      'donation.currency',
      'donation.id as donation_id',
      'donation.donor_name',
      'donation.reference',
    ]);

/** Totals of all parts of one type. */
interface PartTotal {
  type: PayoutDonation['type'];
  count: number;
  amount_cents: number;
  fee_cents: number;
}

const SUM_COLUMNS = [
  sql<number>`count(*)::float8`.as('count'),
  sql<number>`sum(amount_cents)::float8`.as('amount_cents'),
  sql<number>`coalesce(sum(fee_cents), 0)::float8`.as('fee_cents'),
] as const;

/**
 * Loads the totals of a payout by type. `itemized` is false if the totals come from donations
 * instead of Stripe's itemization.
 */
export async function loadPartTotals(db: Db, { id, organization_id, currency }: Payout) {
  const entries: PartTotal[] = await forOrganization(db, organization_id)
    .selectFrom('payout_donation')
    .where('payout_id', '=', id)
    .groupBy('type')
    .select('type')
    .select(SUM_COLUMNS)
    .execute();
  if (entries.length) return { itemized: true, partTotals: entries };
  const totals = await forOrganization(db, organization_id)
    .selectFrom('donation')
    .where('payout_id', '=', id)
    .where('currency', '=', currency)
    .select(SUM_COLUMNS)
    .executeTakeFirstOrThrow();
  return {
    itemized: false,
    partTotals: totals.count ? [{ type: 'donation' as const, ...totals }] : [],
  };
}

export const PART_LABELS = { donation: 'Donation', refund: 'Refund', dispute: 'Dispute' } as const;

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

/** A row of the reconciliation. The rows “Other” and “Payout” have no count, gross or fee. */
interface TotalRow {
  name: string;
  count: number | null;
  gross: number | null;
  fee: number | null;
  net: number;
}

const TOTAL_LABELS = { donation: 'Donations', refund: 'Refunds', dispute: 'Disputes' } as const;

/**
 * Lists the rows that explain the amount of a payout: one for each type of part, “Other” for the
 * difference, and the amount paid to the bank account.
 */
export function reconciliation(payout: Payout, partTotals: readonly PartTotal[]) {
  const rows: TotalRow[] = (['donation', 'refund', 'dispute'] as const).flatMap((type) =>
    partTotals
      .filter((sum) => sum.type === type)
      .map(({ count, amount_cents, fee_cents }) => ({
        name: TOTAL_LABELS[type],
        count,
        gross: amount_cents,
        fee: fee_cents,
        net: amount_cents - fee_cents,
      })),
  );
  const otherCents = payout.amount_cents - rows.reduce((sum, { net }) => sum + net, 0);
  const rowsWithTotal: TotalRow[] = [
    ...rows,
    ...(otherCents
      ? [{ name: 'Other', count: null, gross: null, fee: null, net: otherCents }]
      : []),
    { name: 'Payout', count: null, gross: null, fee: null, net: payout.amount_cents },
  ];
  return { rows: rowsWithTotal, otherCents };
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

/** Returns the CSV lines of all parts of a payout, newest first. */
export const partLines = (
  db: Db,
  payout: Payout,
  { itemized, timeZone }: { itemized: boolean; timeZone: string },
): AsyncGenerator<string> =>
  csvLines<PayoutPart>(
    csvColumns(payout.id, timeZone),
    itemized
      ? readAllPages(selectPayoutEntries(db, payout), 'payout_donation')
      : readAllPages(selectUnitemizedDonations(db, payout), 'donation'),
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
