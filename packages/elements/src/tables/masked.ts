import type { Pages } from '../internal/pages.ts';
import type { Column } from '../internal/table.ts';
import type { Resource } from './table-element.ts';

/** The columns that have something to show. */
export const unmasked = <Row extends Resource>(
  { session }: Pages<Row>,
  columns: readonly Column<Row>[],
): Column<Row>[] => columns.filter(({ mask }) => !session?.masks?.includes(mask!));
