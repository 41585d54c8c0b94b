import type { Donor } from '@connect-embed/contract';
import { fullName, formatAddress, renderDate, renderName, renderText } from './tables/format.ts';
import type { Column, DisplayOptions } from './tables/column.ts';
import { TableElement } from './tables/table-element.ts';

/**
 * A read-only table of an organization's donors, newest first. It updates automatically.
 *
 * Columns: `name email place created_at`; optional: `phone source`.
 *
 * @tag connect-donors
 * @fires {ConnectRowClickEvent<'donor'>} connect-row-click - A row was clicked. If canceled, the
 *   details dialog does not open.
 * @slot empty - Shown when there are no donors yet.
 * @slot cell-name - A `<template>` for the cells of a column; `cell-` and the column's name.
 */
export class ConnectDonors extends TableElement<Donor> {
  constructor() {
    super('donors');
  }

  protected override readonly defaultColumns = (display: DisplayOptions): Column<Donor>[] => {
    const { messages } = display;
    return [
      {
        id: 'name',
        label: messages.name,
        isRowHeader: true,
        cell: (donor) => renderName(fullName(donor), display),
      },
      {
        id: 'email',
        label: messages.email,
        mask: 'emails',
        cell: ({ email }) => renderText(email),
      },
      {
        id: 'place',
        label: messages.place,
        mask: 'addresses',
        cell: (donor) => renderText(formatAddress(donor)),
      },
      {
        id: 'created_at',
        label: messages.since,
        isNarrow: true,
        cell: ({ created_at }) => renderDate(created_at, display),
      },
    ];
  };
}

declare global {
  interface HTMLElementTagNameMap {
    'connect-donors': ConnectDonors;
  }
}
