import { exportHeading, formatDate } from '@connect-embed/contract';
import type { Db } from '../../../db/schema.ts';
import { amountCell, csvLines, type CsvColumn } from '../../../http/csv-response.ts';
import { loadDonorTotals, type DonorTotals } from '../../../resources/donor-totals.ts';
import type { Membership } from '../../../users/membership.ts';
import { LOCALE } from '../../layout.ts';
import { readAllPages } from '../lists/read-all-pages.ts';
import { selectDonors, type Donor, type DonorView } from './donor-query.ts';

/** A line of the export. A donor with several currencies has one line per currency. */
interface ExportedDonor {
  donor: Donor;
  total?: DonorTotals;
}

/**
 * Returns the CSV lines of all donors of the list, newest first. Members with
 * `donations:read` also get the totals of each donor.
 */
export const donorLines = (
  db: Db,
  member: Membership,
  view: Pick<DonorView, 'q' | 'bounds'>,
): AsyncGenerator<string> => {
  const { timeZone, permissions } = member;
  const formatForFile = (date: Date) => formatDate(date, 'file', { timeZone, locale: LOCALE });
  const showsTotals = permissions.has('donations:read');
  return csvLines(
    [
      ...PERSON_COLUMNS,
      ...(showsTotals ? totalColumns(exportHeading('Last donation', timeZone), formatForFile) : []),
      {
        heading: exportHeading('Since', timeZone),
        cell: ({ donor }) => formatForFile(donor.created_at),
      },
    ],
    readExportedDonors(db, member.organizationId, view, showsTotals),
  );
};

async function* readExportedDonors(
  db: Db,
  organizationId: string,
  view: Pick<DonorView, 'q' | 'bounds'>,
  showsTotals: boolean,
): AsyncGenerator<ExportedDonor[]> {
  for await (const donors of readAllPages(selectDonors(db, organizationId, view), 'donor')) {
    const ids = donors.map(({ id }) => id);
    const totals = showsTotals ? await loadDonorTotals(db, organizationId, ids) : new Map();
    yield donors.flatMap((donor): ExportedDonor[] => {
      const donorTotals: DonorTotals[] | undefined = totals.get(donor.id);
      return donorTotals?.map((total) => ({ donor, total })) ?? [{ donor }];
    });
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

const totalColumns = (
  lastDonationHeading: string,
  formatForFile: (date: Date) => string,
): CsvColumn<ExportedDonor>[] => [
  { heading: 'Donations', cell: ({ total }) => ({ number: String(total?.count ?? 0) }) },
  { heading: 'Currency', cell: ({ total }) => total?.currency.toUpperCase() ?? null },
  {
    heading: 'Gross',
    cell: ({ total }) => (total ? amountCell(total.gross_cents, total.currency) : null),
  },
  {
    heading: 'Refunded',
    cell: ({ total }) => (total ? amountCell(total.refunded_cents, total.currency) : null),
  },
  {
    heading: 'Disputed',
    cell: ({ total }) => (total ? amountCell(total.disputed_cents, total.currency) : null),
  },
  {
    heading: 'Total after refunds and disputes',
    cell: ({ total }) => (total ? amountCell(total.remaining_cents, total.currency) : null),
  },
  {
    heading: lastDonationHeading,
    cell: ({ total }) => (total ? formatForFile(total.last_at) : null),
  },
];
