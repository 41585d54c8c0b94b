import type { Donation } from '@connect-embed/contract';
import { formatMoney } from '@connect-embed/contract/format-money';
import type { Column, DisplayOptions } from './column.ts';
import { renderDate, renderName, renderText } from './format.ts';
import { donationStatus, renderBadge } from './status.ts';

/** The columns that the table shows by default. */
export function donationColumns(display: DisplayOptions): Column<Donation>[] {
  const { messages, language } = display;
  return [
    {
      id: 'created_at',
      label: messages.date,
      isNarrow: true,
      cell: ({ created_at }) => renderDate(created_at, display),
    },
    {
      id: 'donor',
      label: messages.donor,
      isRowHeader: true,
      cell: ({ donor_name }) => renderName(donor_name, display),
    },
    { id: 'fund', label: messages.fund, cell: ({ fund_name }) => renderText(fund_name) },
    {
      id: 'status',
      label: messages.status,
      isNarrow: true,
      cell: (donation) => renderBadge(donationStatus(donation), display, donation),
    },
    {
      id: 'amount',
      label: messages.amount,
      isNumeric: true,
      isNarrow: true,
      cell: ({ amount_cents, currency }) => formatMoney(amount_cents, currency, language),
    },
  ];
}
