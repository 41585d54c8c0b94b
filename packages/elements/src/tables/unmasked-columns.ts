import type { PagedList } from './paged-list.ts';
import type { Column, Resource } from './column.ts';

/** The columns without those whose fields the session masks (docs/decisions/0059-field-masking.md). */
export const unmaskedColumns = <Row extends Resource>(
  { session }: PagedList<Row>,
  columns: readonly Column<Row>[],
): Column<Row>[] => columns.filter(({ mask }) => !session?.masks?.includes(mask!));
