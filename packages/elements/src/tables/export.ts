import { currencyDecimals } from '@connect-embed/contract/currency';
import type { Column } from '../internal/table.ts';
import type { Resource, TableElement } from './table-element.ts';

/** The most that the API gives at once: an export asks seldom. */
const PAGE = 100;
/** Longest wait for a busy API before the export is given up. */
const MOST_WAIT_SECONDS = 90;

/** Every page of what the filters leave, as a file for spreadsheets. */
export class Export<Row extends Resource> {
  running = false;
  failed = false;
  count = 0;
  readonly #table: TableElement<Row>;
  readonly #matches: (row: Row) => boolean;
  readonly #stop = new AbortController();

  /** @param matches what the viewer has searched for counts in the file, too */
  constructor(table: TableElement<Row>, matches: (row: Row) => boolean) {
    this.#table = table;
    this.#matches = matches;
  }

  async write() {
    const { pages, shown } = this.#table;
    const lines = [shown.flatMap(headers).map(quote).join()];
    this.running = true;
    this.#table.requestUpdate();
    try {
      let cursor: string | null = null;
      do {
        const page = await this.#read(cursor);
        for (const row of page.data.filter(this.#matches)) {
          lines.push(
            shown
              .flatMap((column) => this.#cells(column, row))
              .map(quote)
              .join(),
          );
          this.count += 1;
        }
        this.#table.requestUpdate();
        cursor = page.has_more ? page.next_cursor : null;
      } while (cursor !== null);
      save(lines, `${pages.component}.csv`);
    } catch {
      this.failed = !this.#stop.signal.aborted;
    }
    this.running = false;
    this.#table.requestUpdate();
  }

  #cells({ id, number }: Column<Row>, row: Row): string[] {
    const content = this.#table.late!.valueOf(id, row);
    if (!number) return [inert(`${content ?? ''}`)];
    const { currency } = row as unknown as { currency: string };
    return [content === null ? '' : decimal(content as number, currency), currency.toUpperCase()];
  }

  cancel() {
    this.#stop.abort();
  }

  /** One page; waits as the API asks when it has been asked too often. */
  async #read(cursor: string | null) {
    const { signal } = this.#stop;
    for (;;) {
      try {
        return await this.#table.pages.read(cursor, signal, PAGE);
      } catch (error) {
        const { retryAfterSeconds = 0 } = error as { retryAfterSeconds?: number };
        if (signal.aborted || !retryAfterSeconds || retryAfterSeconds > MOST_WAIT_SECONDS)
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

/** Money takes two columns: a number that a spreadsheet can add up, and its currency. */
const headers = <Row>({ label, number }: Column<Row>): string[] =>
  number ? [label, `${label} (currency)`] : [label];

/** Digits are moved, not divided: a file of money holds no rounding. */
function decimal(cents: number, currency: string): string {
  const digits = currencyDecimals(currency);
  const text = `${Math.abs(cents)}`.padStart(digits + 1, '0');
  const sign = cents < 0 ? '-' : '';
  if (!digits) return sign + text;
  return `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/** A spreadsheet would run what begins so: an apostrophe makes it text. */
const inert = (text: string) =>
  /^[\s\u200b-\u200f\ufeff]*[=+\-@＝＋－＠|%\t\r\n]/.test(text) ? `'${text}` : text;

const quote = (text: string) => (/[",\r\n;]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** With a mark of its encoding, without which Excel reads names wrongly. */
function save(lines: string[], name: string) {
  const file = new Blob(['\ufeff', lines.join('\r\n'), '\r\n'], { type: 'text/csv;charset=utf-8' });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
