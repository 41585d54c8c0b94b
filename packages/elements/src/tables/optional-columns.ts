import type { Component, Donation, Donor, Payout } from '@connect-embed/contract';
import type { Column, DisplayOptions } from './column.ts';
import { renderDate, renderMoney, renderText, sourceText } from './format.ts';

/** Columns that are hidden unless the `columns` attribute names them. */
export function optionalColumns<Row>(component: Component, display: DisplayOptions): Column<Row>[] {
  const columns = {
    donations: donationColumns,
    donors: donorColumns,
    payouts: payoutColumns,
  };
  return columns[component](display) as unknown as Column<Row>[];
}

function donationColumns(display: DisplayOptions): Column<Donation>[] {
  const { messages } = display;
  return [
    {
      id: 'net',
      label: messages.net,
      isNumeric: true,
      isNarrow: true,
      cell: (donation) => {
        const { net_amount_cents: net, settlement_net_cents: settled } = donation;
        if (net !== null) return renderMoney(net, donation.currency, display);
        if (settled === null) return renderText(null);
        return renderMoney(settled, donation.settlement_currency!, display);
      },
    },
    {
      id: 'refunded',
      label: messages.refunded,
      isNumeric: true,
      isNarrow: true,
      cell: ({ refunded_amount_cents, currency }) =>
        renderMoney(refunded_amount_cents, currency, display),
    },
    {
      id: 'disputed',
      label: messages.disputed,
      isNumeric: true,
      isNarrow: true,
      cell: ({ disputed_amount_cents, currency }) =>
        renderMoney(disputed_amount_cents, currency, display),
    },
    {
      id: 'email',
      label: messages.email,
      mask: 'emails',
      cell: ({ donor_email }) => renderText(donor_email),
    },
    { id: 'source', label: messages.source, cell: (row) => sourceText(row, messages) },
  ];
}

const donorColumns = ({ messages }: DisplayOptions): Column<Donor>[] => [
  { id: 'phone', label: messages.phone, mask: 'phones', cell: ({ phone }) => renderText(phone) },
  { id: 'source', label: messages.source, cell: (row) => sourceText(row, messages) },
];

const payoutColumns = (display: DisplayOptions): Column<Payout>[] => [
  {
    id: 'created',
    label: display.messages.created,
    cell: ({ created }) => renderDate(created, display),
  },
];
