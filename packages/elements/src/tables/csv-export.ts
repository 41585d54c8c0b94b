import type { Donation } from '@connect-embed/contract';
import {
  CSV_BOM,
  csvFileName,
  csvLine,
  exportHeading,
  type CsvCell,
} from '@connect-embed/contract/donation-export';
import { formatDate } from '@connect-embed/contract/format-date';
import { cellValue } from './cell-values.ts';
import { donationCells, donationHeadings, moneyCell } from './donation-csv.ts';
import type { TableElement } from './table-element.ts';
import type { Resource } from './column.ts';

/** Maximum page size of the API (spec: Limits). Large pages need fewer requests. */
const PAGE_SIZE = 100;
/** If the API requests a longer wait (`Retry-After`), the export fails. */
const MAX_RETRY_AFTER_SECONDS = 90;

/** Exports all rows that match the filters, from all pages of the API, as a CSV file. */
export class CsvExport<Row extends Resource> {
  running = false;
  failed = false;
  count = 0;
  #timeZone = 'UTC';
  readonly #table: TableElement<Row>;
  readonly #abort = new AbortController();

  constructor(table: TableElement<Row>) {
    this.#table = table;
  }

  async run() {
    const { pages, display } = this.#table;
    this.#timeZone = display.timeZone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
    const lines = [csvLine(this.#headings())];
    const timestamps: string[] = [];
    this.running = true;
    this.#table.requestUpdate();
    try {
      let cursor: string | null = null;
      do {
        const page = await this.#fetchPage(cursor);
        for (const row of page.data) {
          lines.push(csvLine(this.#rowCells(row)));
          timestamps.push(createdAt(row));
          this.count += 1;
        }
        this.#table.requestUpdate();
        cursor = page.has_more ? page.next_cursor : null;
      } while (cursor !== null);
      const { organization_id = '', organization_name = organization_id } =
        (await pages.session?.minted) ?? {};
      downloadFile(
        lines,
        csvFileName(pages.component, organization_name, ...this.#period(timestamps)),
      );
    } catch {
      this.failed = !this.#abort.signal.aborted;
    }
    this.running = false;
    this.#table.requestUpdate();
  }

  /**
   * Returns the period for the file name: the dates of the filters, or else of the oldest and newest
   * rows. Empty without rows.
   */
  #period(moments: string[]): string[] {
    const { created_from, created_to } = this.#table.pages.query ?? {};
    moments.sort();
    const from = created_from ?? moments[0];
    // `created_to` is exclusive.
    const to = created_to
      ? new Date(Date.parse(created_to) - 1).toISOString()
      : (moments.at(-1) ?? from);
    const days = [from, to].flatMap((at) => (at ? [this.#date(at).slice(0, 10)] : []));
    return days.length === 2 ? [days[0]!, 'to', days[1]!] : days;
  }

  #date(at: string): string {
    return formatDate(at, 'file', { timeZone: this.#timeZone, locale: 'en-US' });
  }

  /** Amounts use two columns: a decimal number that a spreadsheet can sum, and its currency. */
  #headings(): string[] {
    const { pages, shownColumns } = this.#table;
    if (pages.component === 'donations') return donationHeadings(this.#timeZone);
    return [
      'ID',
      ...shownColumns.flatMap(({ id, label, isNumeric }) => {
        if (isNumeric) return [label, `${label} (currency)`];
        return TIMESTAMP_COLUMNS.has(id) ? [exportHeading(label, this.#timeZone)] : [label];
      }),
    ];
  }

  #rowCells(row: Row): CsvCell[] {
    const { display, pages, shownColumns } = this.#table;
    if (pages.component === 'donations') {
      return donationCells(row as unknown as Donation, this.#timeZone);
    }
    const { currency } = row as unknown as { currency: string };
    return [
      row.id,
      ...shownColumns.flatMap(({ id, isNumeric }): CsvCell[] => {
        const content = cellValue(pages.component, id, row, display.messages);
        if (isNumeric)
          return [moneyCell(content as number | null, currency), currency.toUpperCase()];
        return [
          TIMESTAMP_COLUMNS.has(id) && content ? this.#date(`${content}`) : `${content ?? ''}`,
        ];
      }),
    ];
  }

  cancel() {
    this.#abort.abort();
  }

  /** Fetches one page. Retries after `Retry-After` when the API limits the rate of requests. */
  async #fetchPage(cursor: string | null) {
    const { signal } = this.#abort;
    for (;;) {
      try {
        return await this.#table.pages.readPage(cursor, signal, PAGE_SIZE);
      } catch (error) {
        const { retryAfterSeconds = 0 } = error as { retryAfterSeconds?: number };
        if (signal.aborted || !retryAfterSeconds || retryAfterSeconds > MAX_RETRY_AFTER_SECONDS)
          throw error;
        await new Promise((resolve) => {
          setTimeout(resolve, retryAfterSeconds * 1000);
          signal.addEventListener('abort', resolve, { once: true });
        });
        signal.throwIfAborted();
      }
    }
  }
}

/**
 * Columns with a point in time, which is converted to the time zone. The arrival date of a payout is a
 * calendar day and is not converted.
 */
const TIMESTAMP_COLUMNS = new Set(['created_at', 'created']);

const createdAt = (row: Resource) => {
  const { created_at, created } = row as unknown as Record<string, string>;
  return (created_at ?? created)!;
};

function downloadFile(lines: string[], name: string) {
  const file = new Blob([CSV_BOM, ...lines], { type: 'text/csv;charset=utf-8' });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
