import type { Donation } from '@connect-embed/contract';
import { donationColumns } from './tables/donation-columns.ts';
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

  protected override readonly defaultColumns = donationColumns;
}

declare global {
  interface HTMLElementTagNameMap {
    'connect-donations': ConnectDonations;
  }
}
