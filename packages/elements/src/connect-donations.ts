import type { Donation } from '@connect-embed/contract';
import { formatMoney } from '@connect-embed/contract/format-money';
import type { Column, DisplayOptions } from './tables/column.ts';
import { renderDate, renderName, renderText } from './tables/format.ts';
import { donationStatus, renderBadge } from './tables/status.ts';
import { TableElement } from './tables/table-element.ts';

/**
 * A read-only table of an organization's donations, newest first. It updates automatically.
 *
 * Columns: `created_at donor fund status amount`; optional: `net refunded disputed email source`.
 *
 * @tag connect-donations
 * @fires {ConnectRowClickEvent<'donation'>} connect-row-click - A row was clicked. If canceled, the
 *   details dialog does not open.
 * @csspart totals - The line with the totals of all donations that match the filters.
 * @csspart chart - The chart of donations over time. Its content is in its own shadow root.
 * @slot empty - Shown when there are no donations yet.
 * @slot cell-amount - A `<template>` for the cells of a column; `cell-` and the column's name.
 */
export class ConnectDonations extends TableElement<Donation> {
  constructor() {
    super('donations');
  }

  override defaultColumns(display: DisplayOptions): Column<Donation>[] {
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
}

declare global {
  interface HTMLElementTagNameMap {
    'connect-donations': ConnectDonations;
  }
}
