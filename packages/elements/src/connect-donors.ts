import type { Donor } from '@connect-embed/contract';
import { fullName, placeOf } from './internal/columns.ts';
import { renderDate, renderName, renderText } from './internal/format.ts';
import { tableTexts as texts } from './internal/messages/tables.ts';
import type { Column } from './internal/table.ts';
import { TableElement, type Look } from './tables/table-element.ts';

/**
 * A read-only table of an organization's donors, newest first; new ones appear by themselves.
 *
 * Columns: `name email place created_at`, and besides `phone source`.
 *
 * @tag connect-donors
 * @slot empty - Shown when there are no donors yet.
 * @slot cell:name - A `<template>` for the cells of a column; `cell:` and the column's name.
 */
export class ConnectDonors extends TableElement<Donor> {
  constructor() {
    super('donors');
  }

  override usualColumns({ language, timeZone }: Look): Column<Donor>[] {
    return [
      {
        id: 'name',
        label: texts.name,
        names: true,
        cell: (donor) => renderName(fullName(donor)),
      },
      { id: 'email', label: texts.email, mask: 'emails', cell: ({ email }) => renderText(email) },
      {
        id: 'place',
        label: texts.place,
        mask: 'addresses',
        cell: (donor) => renderText(placeOf(donor)),
      },
      {
        id: 'created_at',
        label: texts.since,
        slim: true,
        cell: ({ created_at }) => renderDate(created_at, language, timeZone),
      },
    ];
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'connect-donors': ConnectDonors;
  }
}
