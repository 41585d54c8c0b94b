import type { Payout } from '@connect-embed/contract';
import { descriptionOf, renderDay, renderMoney, renderText } from './tables/format.ts';
import { renderBadge } from './tables/status.ts';
import type { Column, DisplayOptions } from './tables/column.ts';
import { TableElement } from './tables/table-element.ts';

/**
 * A read-only table of an organization's bank payouts, newest first. It updates automatically.
 *
 * Columns: `arrival_date description status amount`; optional: `created`.
 *
 * @tag connect-payouts
 * @fires {ConnectRowClickEvent<'payout'>} connect-row-click - A row was clicked. If canceled, the
 *   details dialog does not open.
 * @slot empty - Shown when there are no payouts yet.
 * @slot cell-amount - A `<template>` for the cells of a column; `cell-` and the column's name.
 */
export class ConnectPayouts extends TableElement<Payout> {
  constructor() {
    super('payouts');
  }

  override defaultColumns(display: DisplayOptions): Column<Payout>[] {
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
}

declare global {
  interface HTMLElementTagNameMap {
    'connect-payouts': ConnectPayouts;
  }
}
