import type { Donation, Donor, Payout } from '@connect-embed/contract';
import type { TemplateResult } from 'lit';
import type { TablesMessages } from '../shared/message-types.ts';

/** A resource of a list endpoint. */
export type Resource = Donation | Donor | Payout;

/** What the texts of a table are formatted with. */
export interface DisplayOptions {
  messages: TablesMessages;
  /** BCP 47 tag for dates and amounts, such as `de-AT`. */
  language: string;
  /** Language code of the messages, for their plural rules. */
  messagesLanguage: string;
  timeZone: string | undefined;
}

/**
 * A custom cell renderer of the host page. A returned string is shown as text, never parsed as HTML.
 * Null and undefined leave the cell empty.
 */
export type CellRenderer<Row> = (row: Row) => string | number | Node | null | undefined;

/** What a cell shows. */
export type CellContent = string | TemplateResult;

/** A column of a table, for rows of one resource. */
export interface Column<Row> {
  /** Id of the column in the `columns` attribute. */
  id: string;
  label: string;
  cell: (row: Row) => CellContent;
  /** True for the row header, which screen readers announce before other cells. */
  isRowHeader?: boolean;
  /** True for numbers, which are aligned at the end of the column. */
  isNumeric?: boolean;
  /**
   * True for a column of fixed width, because its texts are known in advance. The others share the
   * remaining width.
   */
  isNarrow?: boolean;
  /**
   * Mask (`emails`, `phones` or `addresses`) that hides the column, because all its cells would be
   * empty:
   * docs/decisions/0059-field-masking.md
   */
  mask?: string;
}

/** The columns without those whose fields the session masks (docs/decisions/0059-field-masking.md). */
export const unmaskedColumns = <Row>(
  { session }: { session?: { masks?: readonly string[] | undefined } | undefined },
  columns: readonly Column<Row>[],
) => columns.filter(({ mask }) => !session?.masks?.includes(mask!));
