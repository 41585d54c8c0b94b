import type { List } from '@connect-embed/contract';
import { Live, mergeRows } from '../internal/live.ts';
import type { Pages } from '../internal/pages.ts';
import { ConnectLoadErrorEvent } from '../events.ts';
import type { Resource, TableElement } from './table-element.ts';

const DEFAULT_REFRESH_SECONDS = 5;

const unknownIn = <Row extends Resource>(rows: Row[], data: Row[]) => {
  const known = new Set(rows.map(({ id }) => id));
  return data.filter(({ id }) => !known.has(id));
};

/** In an order of the viewer's own a row may come anywhere: then the first page of now is shown. */
function refreshRows<Row extends Resource>(rows: Row[], { data }: List<Row>) {
  if (data.some(({ id }, index) => id !== rows[index]?.id)) return undefined;
  return { rows: [...data, ...rows.slice(data.length)] };
}

/** What is read after the first page: the pages behind it, and what is new on top. */
export class Reading<Row extends Resource> {
  /** How many rows the latest look brought; told politely. */
  added = 0;
  #news = false;
  readonly #table: TableElement<Row>;
  readonly #pages: Pages<Row>;
  readonly #live = new Live(() => this.#look());
  #known = new Set<string>();
  #knownOf: Row[] = [];
  #followed: AbortSignal | undefined;
  #seconds = 0;
  #stream: AbortController | undefined;
  #last = '';

  constructor(table: TableElement<Row>) {
    this.#table = table;
    this.#pages = table.pages;
  }

  /** Looks for news as long as the first page that it began with counts. */
  follow() {
    const { signal } = this.#pages.abort;
    const seconds = this.#refreshSeconds;
    const ready = this.#pages.status === 'ready' && !signal.aborted;
    const streams = this.#stream !== undefined;
    const same = seconds === this.#seconds && this.#table.live === streams;
    if (ready && (signal !== this.#followed || !same)) {
      this.#followed = signal;
      this.#seconds = seconds;
      this.added = 0;
      this.#live.start(seconds);
      this.#stream?.abort();
      const stream = (this.#stream = this.#table.live ? new AbortController() : undefined);
      const stop = () => {
        this.#live.stop();
        stream?.abort();
      };
      signal.addEventListener('abort', stop, { once: true });
      if (stream) this.#listen(stream.signal).catch(() => {});
    }
  }

  /** Changes come by themselves; without the file for it, or a stream, looking goes on. */
  async #listen(signal: AbortSignal) {
    const { LiveRows } = await import('./live-rows.ts');
    if (signal.aborted) return;
    let asks = true;
    const rows = new LiveRows(this.#table, {
      look: () => this.#look(),
      asks: (is) => {
        if (is === asks || signal.aborted) return;
        asks = is;
        if (is) this.#live.start(this.#seconds);
        else this.#live.stop();
      },
      told: (added, changed) => {
        this.added = added;
        this.#news ||= changed;
        this.#table.requestUpdate();
      },
    });
    rows.follow(signal);
  }

  /** Whether anything has changed since this was last asked. */
  takeNews(): boolean {
    const news = this.#news;
    this.#news = false;
    return news;
  }

  /** Reads the page after the last row. */
  async more(limit?: number): Promise<void> {
    const pages = this.#pages;
    if (pages.reading || !pages.hasMore) return;
    const { signal } = pages.abort;
    pages.reading = true;
    this.#table.requestUpdate();
    try {
      const page = await pages.read(pages.cursor, signal, limit);
      pages.rows = [...pages.rows, ...this.#unknown(page.data)];
      this.#knownOf = pages.rows;
      pages.hasMore = page.has_more;
      pages.cursor = page.next_cursor;
      pages.stale = false;
    } catch (error) {
      if (signal.aborted) return;
      pages.stale = true;
      this.#table.dispatchEvent(new ConnectLoadErrorEvent(error));
    } finally {
      if (!signal.aborted) pages.reading = false;
      this.#table.requestUpdate();
    }
  }

  /** What came anew; the ids of what is loaded are kept, so that a page costs a page. */
  #unknown(data: Row[]): Row[] {
    const { rows } = this.#pages;
    if (this.#knownOf !== rows) this.#known = new Set(rows.map(({ id }) => id));
    const news = data.filter(({ id }) => !this.#known.has(id));
    for (const { id } of news) this.#known.add(id);
    return news;
  }

  async #look() {
    const pages = this.#pages;
    const { signal } = pages.abort;
    try {
      const page = await pages.read(null, signal);
      pages.stale = false;
      const added = unknownIn(pages.rows, page.data);
      const news = pages.sort ? refreshRows(pages.rows, page) : mergeRows(pages.rows, page);
      this.added = added.length;
      this.#news ||= JSON.stringify(page) !== this.#last;
      this.#last = JSON.stringify(page);
      for (const { id } of added) pages.fresh.add(id);
      if (news) pages.rows = news.rows;
      else pages.take(page);
    } catch (error) {
      pages.stale = !signal.aborted;
      throw error;
    } finally {
      this.#table.requestUpdate();
    }
  }

  get #refreshSeconds(): number {
    const seconds = Number(this.#table.refreshSeconds);
    return Number.isFinite(seconds) && seconds >= 0 ? seconds : DEFAULT_REFRESH_SECONDS;
  }
}
