import type { Donation } from '@connect-embed/contract';
import {
  amountCell,
  csvLines,
  LIVEMODE_COLUMN,
  timeColumn,
  type CsvColumn,
} from '../../lib/csv.ts';
import { DONATION_STATUS_TEXTS, donationStatus } from './donation-status.ts';
import { paymentMethodLabel } from './payment-method.ts';

/** Returns the lines of a CSV file of donations, for spreadsheets and bookkeeping. */
export const donationCsv = (
  pages: AsyncIterable<readonly Donation[]>,
  timeZone: string,
): AsyncGenerator<string> =>
  csvLines<Donation>(
    [
      { heading: 'Donation ID', cell: ({ id }) => id },
      { heading: 'Reference', cell: ({ reference }) => reference },
      timeColumn('Created', timeZone, ({ created_at }) => created_at),
      { heading: 'Donor', cell: ({ donor_name }) => donor_name },
      { heading: 'Email', cell: ({ donor_email }) => donor_email },
      { heading: 'Currency', cell: ({ currency }) => currency.toUpperCase() },
      amountColumn('Amount', 'amount_cents'),
      amountColumn('Fee', 'fee_cents'),
      amountColumn('Net', 'net_amount_cents'),
      amountColumn('Refunded', 'refunded_amount_cents'),
      amountColumn('Disputed', 'disputed_amount_cents'),
      amountColumn('Dispute fee (part of Fee)', 'dispute_fee_cents'),
      { heading: 'Status', cell: (donation) => DONATION_STATUS_TEXTS[donationStatus(donation)] },
      { heading: 'Recurring', cell: ({ recurring }) => (recurring ? 'yes' : 'no') },
      { heading: 'Payment method', cell: paymentMethodLabel },
      { heading: 'Fund', cell: ({ fund_name }) => fund_name },
      { heading: 'Campaign', cell: ({ campaign_name }) => campaign_name },
      { heading: 'Form', cell: ({ form_name }) => form_name },
      { heading: 'Website', cell: ({ page_origin }) => page_origin },
      { heading: 'Dedication', cell: ({ dedication }) => dedication },
      { heading: 'Message', cell: ({ comment }) => comment },
      { heading: 'Payout ID', cell: ({ payout_id }) => payout_id },
      // Only for donations in another currency than the account's, whose fee is known in that one.
      {
        heading: 'Settlement currency',
        cell: ({ settlement_currency }) => settlement_currency?.toUpperCase() ?? null,
      },
      settlementColumn('Settlement amount', 'settlement_amount_cents'),
      settlementColumn('Settlement fee', 'settlement_fee_cents'),
      settlementColumn('Settlement net', 'settlement_net_cents'),
      {
        heading: 'Exchange rate',
        cell: ({ exchange_rate }) =>
          exchange_rate === null ? null : { number: String(exchange_rate) },
      },
      LIVEMODE_COLUMN,
    ],
    pages,
  );

/** A column of amounts in the currency of the donation. */
const amountColumn = (
  heading: string,
  field:
    | 'amount_cents'
    | 'fee_cents'
    | 'net_amount_cents'
    | 'refunded_amount_cents'
    | 'disputed_amount_cents'
    | 'dispute_fee_cents',
): CsvColumn<Donation> => ({
  heading,
  cell: (donation) => amountCell(donation[field], donation.currency),
});

/** A column of amounts in the currency of the account; empty for a donation in that currency. */
const settlementColumn = (
  heading: string,
  field: 'settlement_amount_cents' | 'settlement_fee_cents' | 'settlement_net_cents',
): CsvColumn<Donation> => ({
  heading,
  cell: ({ settlement_currency, [field]: cents }) =>
    settlement_currency && amountCell(cents, settlement_currency),
});
