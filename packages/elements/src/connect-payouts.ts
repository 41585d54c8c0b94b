import type { Payout } from '@connect-embed/contract';
import { payoutColumns } from './tables/payout-columns.ts';
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

  protected override readonly defaultColumns = payoutColumns;
}

declare global {
  interface HTMLElementTagNameMap {
    'connect-payouts': ConnectPayouts;
  }
}
