import type { Payout } from '@connect-embed/contract';
import { amountCell, csvLines, LIVEMODE_COLUMN, timeColumn } from '../lib/csv.ts';

/** Texts of payout statuses in the dashboard and in exports. */
export const PAYOUT_STATUS_TEXTS: Record<Payout['status'], string> = {
  pending: 'Pending',
  in_transit: 'In transit',
  paid: 'Paid',
  failed: 'Failed',
  canceled: 'Canceled',
};

/** A payout, for members and their apps with a field that the API's payout does not have. */
export type ExportedPayout = Payout & { failure_message?: string | null };

/** Returns the lines of a CSV file of payouts. */
export const payoutCsv = (
  pages: AsyncIterable<readonly ExportedPayout[]>,
  timeZone: string,
  { withFailureReason = false } = {},
): AsyncGenerator<string> =>
  csvLines<ExportedPayout>(
    [
      { heading: 'Payout ID', cell: ({ id }) => id },
      timeColumn('Created', timeZone, ({ created }) => created),
      { heading: 'Arrives', cell: ({ arrival_date }) => arrival_date.slice(0, 10) },
      { heading: 'Currency', cell: ({ currency }) => currency.toUpperCase() },
      {
        heading: 'Amount',
        cell: ({ amount_cents, currency }) => amountCell(amount_cents, currency),
      },
      { heading: 'Status', cell: ({ status }) => PAYOUT_STATUS_TEXTS[status] },
      {
        heading: 'Statement descriptor',
        cell: ({ statement_descriptor }) => statement_descriptor,
      },
      { heading: 'Description', cell: ({ description }) => description },
      { heading: 'Automatic', cell: ({ automatic }) => (automatic ? 'yes' : 'no') },
      { heading: 'Trace ID', cell: ({ trace_id }) => trace_id },
      ...(withFailureReason
        ? [
            {
              heading: 'Failure reason',
              cell: ({ failure_message = null }: ExportedPayout) => failure_message,
            },
          ]
        : []),
      LIVEMODE_COLUMN,
    ],
    pages,
  );
