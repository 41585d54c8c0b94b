import type { Component, Donation, Donor, Payout } from '@connect-embed/contract';
import {
  descriptionOf,
  fullName,
  formatAddress,
  renderDate,
  renderMoney,
  renderText,
} from './format.ts';
import { donationStatus, messages } from './table-messages.ts';
import type { Column, DisplayOptions } from './column.ts';

/** Value of a cell for sorting and for the CSV export. */
type CellValue<Row> = (row: Row, language: string) => string | number | null;

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
    status: (donation) => messages[donationStatus(donation)],
    amount: ({ amount_cents }) => amount_cents,
    net: ({ net_amount_cents }) => net_amount_cents,
    refunded: ({ refunded_amount_cents }) => refunded_amount_cents,
    email: ({ donor_email }) => donor_email,
    source: ({ source }) => source,
  },
  donors: {
    name: fullName,
    email: ({ email }) => email,
    place: formatAddress,
    created_at: ({ created_at }) => created_at,
    phone: ({ phone }) => phone,
    source: ({ source }) => source,
  },
  payouts: {
    arrival_date: ({ arrival_date }) => arrival_date.slice(0, 10),
    description: descriptionOf,
    status: ({ status }) => messages[`payout_${status}`],
    amount: ({ amount_cents }) => amount_cents,
    created: ({ created }) => created,
  },
};

/** The plain value of a cell; null when it is unknown or the column does not exist. */
export const cellValue = <Row>(component: Component, column: string, row: Row, language: string) =>
  (CELL_VALUES[component] as unknown as Record<string, CellValue<Row>>)[column]?.(row, language) ??
  null;

/** Columns that are hidden unless the `columns` attribute names them. */
export function optionalColumns<Row>(
  component: Component,
  { language, timeZone }: DisplayOptions,
): Column<Row>[] {
  const value = (id: string, row: Row) => cellValue(component, id, row, language);
  const text = (id: 'email' | 'source' | 'phone', mask?: string): Column<Row> => ({
    id,
    ...(mask && { mask }),
    label: messages[id],
    cell: (row) => renderText(value(id, row) as string | null),
  });
  const money = (id: 'net' | 'refunded'): Column<Row> => ({
    id,
    label: messages[id],
    isNumeric: true,
    isNarrow: true,
    cell: (row) => {
      const cents = value(id, row) as number | null;
      if (cents === null) return renderText(null);
      return renderMoney(cents, (row as { currency: string }).currency, language);
    },
  });
  const created: Column<Row> = {
    id: 'created',
    label: messages.created,
    cell: (row) => renderDate((row as { created: string }).created, language, timeZone),
  };
  const all = {
    donations: () => [money('net'), money('refunded'), text('email', 'emails'), text('source')],
    donors: () => [text('phone', 'phones'), text('source')],
    payouts: () => [created],
  };
  return all[component]();
}
