import type { Column } from '../internal/table.ts';
import type { Resource, TableElement } from './table-element.ts';

/** Columns of which nothing is left when a session keeps it back: docs/decisions/0059-least-data.md */
const MASK_OF: Readonly<Record<string, string>> = {
  email: 'emails',
  phone: 'phones',
  place: 'addresses',
};

/** The columns that have something to show. */
export const unmasked = <Row extends Resource>(
  { pages }: TableElement<Row>,
  columns: readonly Column<Row>[],
): Column<Row>[] => columns.filter(({ id }) => !pages.session?.masks.includes(MASK_OF[id] ?? ''));
