import type { Component, Donation, Donor, Payout } from '@connect-embed/contract';
import type { TablesMessages } from '../shared/message-types.ts';
import { descriptionOf, formatAddress, fullName, sourceText } from './format.ts';
import { donationStatus } from './status.ts';

/** Value of a cell for sorting. */
type CellValue<Row> = (row: Row, messages: TablesMessages) => string | number | null;

interface CellValues {
  donations: Record<string, CellValue<Donation>>;
  donors: Record<string, CellValue<Donor>>;
  payouts: Record<string, CellValue<Payout>>;
}

const CELL_VALUES: CellValues = {
  donations: {
    created_at: ({ created_at }) => created_at,
    donor: ({ donor_name }) => donor_name,
    fund: ({ fund_name }) => fund_name,
    status: (donation, messages) => messages[donationStatus(donation)],
    amount: ({ amount_cents }) => amount_cents,
    net: ({ net_amount_cents }) => net_amount_cents,
    refunded: ({ refunded_amount_cents }) => refunded_amount_cents,
    disputed: ({ disputed_amount_cents }) => disputed_amount_cents,
    email: ({ donor_email }) => donor_email,
    source: sourceText,
  },
  donors: {
    name: fullName,
    email: ({ email }) => email,
    place: formatAddress,
    created_at: ({ created_at }) => created_at,
    phone: ({ phone }) => phone,
    source: sourceText,
  },
  payouts: {
    arrival_date: ({ arrival_date }) => arrival_date.slice(0, 10),
    description: descriptionOf,
    status: ({ status }, messages) => messages[`payout_${status}`],
    amount: ({ amount_cents }) => amount_cents,
    created: ({ created }) => created,
  },
};

/** The plain value of a cell; null when it is unknown or the column does not exist. */
export const cellValue = <Row>(
  component: Component,
  column: string,
  row: Row,
  messages: TablesMessages,
) =>
  (CELL_VALUES[component] as unknown as Record<string, CellValue<Row>>)[column]?.(row, messages) ??
  null;
