import type { List } from '@connect-embed/contract';
import { Poller, mergeRows } from '../internal/poller.ts';
import type { PagedList } from '../internal/paged-list.ts';
import { ConnectLoadErrorEvent } from '../events.ts';
import type { Resource, TableElement } from './table-element.ts';

const DEFAULT_REFRESH_SECONDS = 5;

const newRows = <Row extends Resource>(rows: Row[], data: Row[]) => {
  const known = new Set(rows.map(({ id }) => id));
  return data.filter(({ id }) => !known.has(id));
};

/** In an order of the viewer's own a row may come anywhere: then the first page of now is shown. */
function replaceFirstPage<Row extends Resource>(rows: Row[], { data }: List<Row>) {
  if (data.some(({ id }, index) => id !== rows[index]?.id)) return undefined;
  return { rows: [...data, ...rows.slice(data.length)] };
}

/** What is read after the first page: the pages behind it, and what is new on top. */
export class RowLoader<Row extends Resource> {
  /** How many rows the latest look brought; told politely. */
  addedCount = 0;
  #hasChanges = false;
  readonly #table: TableElement<Row>;
  readonly #list: PagedList<Row>;
  readonly #poller = new Poller(() => this.#reload());
  #knownIds = new Set<string>();
  #knownRows: Row[] = [];
  #listSignal: AbortSignal | undefined;
  #intervalSeconds = 0;
  #stream: AbortController | undefined;
  #lastPage = '';

  constructor(table: TableElement<Row>) {
    this.#table = table;
    this.#list = table.pages;
  }

  /** Looks for news as long as the first page that it began with counts. */
  update() {
    const { signal } = this.#list.abort;
    const seconds = this.#refreshSeconds;
    const ready = this.#list.status === 'ready' && !signal.aborted;
    const isStreaming = this.#stream !== undefined;
    const same = seconds === this.#intervalSeconds && this.#table.live === isStreaming;
    if (ready && (signal !== this.#listSignal || !same)) {
      this.#listSignal = signal;
      this.#intervalSeconds = seconds;
      this.addedCount = 0;
      this.#poller.start(seconds);
      this.#stream?.abort();
      const stream = (this.#stream = this.#table.live ? new AbortController() : undefined);
      const stop = () => {
        this.#poller.stop();
        stream?.abort();
      };
      signal.addEventListener('abort', stop, { once: true });
      if (stream) this.#startStream(stream.signal).catch(() => {});
    }
  }

  /** Changes come by themselves; without the file for it, or a stream, looking goes on. */
  async #startStream(signal: AbortSignal) {
    const { LiveRows } = await import('./live-rows.ts');
    if (signal.aborted) return;
    let isPolling = true;
    const rows = new LiveRows(this.#table, {
      reload: () => this.#reload(),
      setPolling: (shouldPoll) => {
        if (shouldPoll === isPolling || signal.aborted) return;
        isPolling = shouldPoll;
        if (shouldPoll) this.#poller.start(this.#intervalSeconds);
        else this.#poller.stop();
      },
      rowsChanged: (added, changed) => {
        this.addedCount = added;
        this.#hasChanges ||= changed;
        this.#table.requestUpdate();
      },
    });
    rows.connect(signal);
  }

  /** Whether anything has changed since this was last asked. */
  takeChanges(): boolean {
    const changes = this.#hasChanges;
    this.#hasChanges = false;
    return changes;
  }

  /** Reads the page after the last row. */
  async loadMore(limit?: number): Promise<void> {
    const pages = this.#list;
    if (pages.isReading || !pages.hasMore) return;
    const { signal } = pages.abort;
    pages.isReading = true;
    this.#table.requestUpdate();
    try {
      const page = await pages.readPage(pages.cursor, signal, limit);
      pages.rows = [...pages.rows, ...this.#unknownRows(page.data)];
      this.#knownRows = pages.rows;
      pages.hasMore = page.has_more;
      pages.cursor = page.next_cursor;
      pages.stale = false;
    } catch (error) {
      if (signal.aborted) return;
      pages.stale = true;
      this.#table.dispatchEvent(new ConnectLoadErrorEvent(error));
    } finally {
      if (!signal.aborted) pages.isReading = false;
      this.#table.requestUpdate();
    }
  }

  /** What came anew; the ids of what is loaded are kept, so that a page costs a page. */
  #unknownRows(data: Row[]): Row[] {
    const { rows } = this.#list;
    if (this.#knownRows !== rows) this.#knownIds = new Set(rows.map(({ id }) => id));
    const news = data.filter(({ id }) => !this.#knownIds.has(id));
    for (const { id } of news) this.#knownIds.add(id);
    return news;
  }

  async #reload() {
    const pages = this.#list;
    const { signal } = pages.abort;
    try {
      const page = await pages.readPage(null, signal);
      pages.stale = false;
      const added = newRows(pages.rows, page.data);
      const news = pages.sort ? replaceFirstPage(pages.rows, page) : mergeRows(pages.rows, page);
      this.addedCount = added.length;
      this.#hasChanges ||= JSON.stringify(page) !== this.#lastPage;
      this.#lastPage = JSON.stringify(page);
      for (const { id } of added) pages.fresh.add(id);
      if (news) pages.rows = news.rows;
      else pages.setPage(page);
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
