import type { Payout } from '@connect-embed/contract';
import type { Column, DisplayOptions } from './column.ts';
import { descriptionOf, renderDay, renderMoney, renderText } from './format.ts';
import { renderBadge } from './status.ts';

/** The columns that the table shows by default. */
export function payoutColumns(display: DisplayOptions): Column<Payout>[] {
  const { messages } = display;
  return [
    {
      id: 'arrival_date',
      label: messages.arrival,
      isRowHeader: true,
      cell: ({ arrival_date }) => renderDay(arrival_date, display),
    },
    {
      id: 'description',
      label: messages.description,
      cell: (payout) => renderText(descriptionOf(payout)),
    },
    {
      id: 'status',
      label: messages.status,
      isNarrow: true,
      cell: (payout) => renderBadge(`payout_${payout.status}`, display, payout),
    },
    {
      id: 'amount',
      label: messages.amount,
      isNumeric: true,
      isNarrow: true,
      cell: ({ amount_cents, currency }) => renderMoney(amount_cents, currency, display),
    },
  ];
}
