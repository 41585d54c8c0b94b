import type { Donor } from '@connect-embed/contract';
import { amountCell, csvLines, timeColumn, type CsvColumn } from '../lib/csv.ts';
import type { DonorTotals, loadDonorTotals } from './donor-totals.ts';

/** Texts of the sources of donors and donations in the dashboard and in exports. */
export const SOURCE_TEXTS: Record<string, string> = {
  embed: 'Donation form',
  api: 'API',
  import: 'Import',
};

/** A line of the export. A donor with several currencies has one line per currency. */
interface ExportedDonor {
  donor: Donor;
  total?: DonorTotals;
}

/** Loads the totals of several donors, keyed by donor id. */
type LoadTotals = (donorIds: readonly string[]) => ReturnType<typeof loadDonorTotals>;

/**
 * Returns the lines of a CSV file of donors.
 *
 * @param loadTotals undefined for a reader who may not read the totals of donors
 * @param year of which the totals are; undefined if they are of all years
 */
export function donorCsv(
  pages: AsyncIterable<readonly Donor[]>,
  timeZone: string,
  loadTotals: LoadTotals | undefined,
  year?: string,
): AsyncGenerator<string> {
  return csvLines<ExportedDonor>(
    [
      ...PERSON_COLUMNS,
      ...(year ? [{ heading: 'Year', cell: () => year }] : []),
      ...(loadTotals ? totalColumns(timeZone) : []),
      timeColumn('Since', timeZone, ({ donor }) => donor.created_at),
      timeColumn('Last change', timeZone, ({ donor }) => donor.updated_at),
      { heading: 'Source', cell: ({ donor }) => SOURCE_TEXTS[donor.source] ?? donor.source },
    ],
    addTotals(pages, loadTotals),
  );
}

async function* addTotals(
  pages: AsyncIterable<readonly Donor[]>,
  loadTotals: LoadTotals | undefined,
): AsyncGenerator<ExportedDonor[]> {
  for await (const donors of pages) {
    const totals = await loadTotals?.(donors.map(({ id }) => id));
    yield donors.flatMap(
      (donor): ExportedDonor[] =>
        totals?.get(donor.id)?.map((total) => ({ donor, total })) ?? [{ donor }],
    );
  }
}

const PERSON_COLUMNS: CsvColumn<ExportedDonor>[] = [
  { heading: 'Donor ID', cell: ({ donor }) => donor.id },
  { heading: 'First name', cell: ({ donor }) => donor.first_name },
  { heading: 'Last name', cell: ({ donor }) => donor.last_name },
  { heading: 'Email', cell: ({ donor }) => donor.email },
  { heading: 'Phone', cell: ({ donor }) => donor.phone },
  { heading: 'City', cell: ({ donor }) => donor.city },
  { heading: 'State', cell: ({ donor }) => donor.state },
  { heading: 'Postal code', cell: ({ donor }) => donor.postal_code },
  { heading: 'Country', cell: ({ donor }) => donor.country },
];

const totalColumns = (timeZone: string): CsvColumn<ExportedDonor>[] => [
  { heading: 'Donations', cell: ({ total }) => ({ number: String(total?.count ?? 0) }) },
  { heading: 'Currency', cell: ({ total }) => total?.currency.toUpperCase() ?? null },
  amountColumn('Gross', 'gross_cents'),
  amountColumn('Refunded', 'refunded_cents'),
  amountColumn('Disputed', 'disputed_cents'),
  amountColumn('Total after refunds and disputes', 'remaining_cents'),
  timeColumn('Last donation', timeZone, ({ total }) => total?.last_at ?? null),
];

const amountColumn = (
  heading: string,
  field: 'gross_cents' | 'refunded_cents' | 'disputed_cents' | 'remaining_cents',
): CsvColumn<ExportedDonor> => ({
  heading,
  cell: ({ total }) => (total ? amountCell(total[field], total.currency) : null),
});
