import type { List } from '@connect-embed/contract';
import { Poller, mergeRows } from './poller.ts';
import type { PagedList } from './paged-list.ts';
import { ConnectLoadErrorEvent } from '../events.ts';
import type { TableHost } from './table-host.ts';
import type { Resource } from './column.ts';

const DEFAULT_REFRESH_SECONDS = 5;

const newRows = <Row extends Resource>(rows: Row[], data: Row[]) => {
  const known = new Set(rows.map(({ id }) => id));
  return data.filter(({ id }) => !known.has(id));
};

/**
 * Merges a reloaded first page into rows that the viewer has sorted.
 *
 * @returns undefined if the ids on the page have changed: a new row can be at any position, so the table
 *   must start again with the reloaded page
 */
function replaceFirstPage<Row extends Resource>(rows: Row[], { data }: List<Row>) {
  if (data.some(({ id }, index) => id !== rows[index]?.id)) return undefined;
  return { rows: [...data, ...rows.slice(data.length)] };
}

/**
 * Loads everything after the first page of a table: further pages, and changes by polling or by a live
 * stream.
 */
export class RowLoader<Row extends Resource> {
  /** Number of rows added by the latest reload, for the screen-reader announcement. */
  addedCount = 0;
  #hasChanges = false;
  readonly #table: TableHost<Row>;
  readonly #list: PagedList<Row>;
  readonly #poller = new Poller(() => this.#reload());
  #knownIds = new Set<string>();
  #knownRows: Row[] = [];
  #listSignal: AbortSignal | undefined;
  #intervalSeconds = 0;
  #stream: AbortController | undefined;
  #lastPage = '';

  constructor(table: TableHost<Row>) {
    this.#table = table;
    this.#list = table.pages;
  }

  /**
   * Starts polling or streaming when the first page is ready, and again when its settings or the first
   * page have changed.
   */
  update() {
    const { signal } = this.#list.abort;
    const seconds = this.#refreshSeconds;
    const ready = this.#list.status === 'ready' && !signal.aborted;
    const isStreaming = this.#stream !== undefined;
    const isUnchanged = seconds === this.#intervalSeconds && this.#table.live === isStreaming;
    if (ready && (signal !== this.#listSignal || !isUnchanged)) {
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

  /** Opens the live stream. Polling continues if the module or the stream is unavailable. */
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

  /** Whether any data has changed since the last call. */
  takeChanges(): boolean {
    const changes = this.#hasChanges;
    this.#hasChanges = false;
    return changes;
  }

  /** Loads the page after the last row. */
  async loadMore(limit?: number): Promise<void> {
    const pages = this.#list;
    if (pages.isLoadingMore || !pages.hasMore) return;
    const { signal } = pages.abort;
    pages.isLoadingMore = true;
    this.#table.requestUpdate();
    try {
      const page = await pages.readPage(pages.cursor, signal, limit);
      pages.rows = [...pages.rows, ...this.#unknownRows(page.data)];
      this.#knownRows = pages.rows;
      pages.hasMore = page.has_more;
      pages.cursor = page.next_cursor;
      pages.isStale = false;
    } catch (error) {
      if (signal.aborted) return;
      pages.isStale = true;
      this.#table.dispatchEvent(new ConnectLoadErrorEvent(error));
    } finally {
      if (!signal.aborted) pages.isLoadingMore = false;
      this.#table.requestUpdate();
    }
  }

  /**
   * Returns the rows that are not loaded yet. The set of known ids is cached, so the cost depends on
   * the page and not on all rows.
   */
  #unknownRows(data: Row[]): Row[] {
    const { rows } = this.#list;
    if (this.#knownRows !== rows) this.#knownIds = new Set(rows.map(({ id }) => id));
    const unknown = data.filter(({ id }) => !this.#knownIds.has(id));
    for (const { id } of unknown) this.#knownIds.add(id);
    return unknown;
  }

  async #reload() {
    const pages = this.#list;
    const { signal } = pages.abort;
    try {
      const page = await pages.readPage(null, signal);
      pages.isStale = false;
      const added = newRows(pages.rows, page.data);
      const merged = pages.sort ? replaceFirstPage(pages.rows, page) : mergeRows(pages.rows, page);
      this.addedCount = added.length;
      this.#hasChanges ||= JSON.stringify(page) !== this.#lastPage;
      this.#lastPage = JSON.stringify(page);
      for (const { id } of added) pages.addedIds.add(id);
      if (merged) pages.rows = merged.rows;
      else pages.setPage(page);
    } catch (error) {
      pages.isStale = !signal.aborted;
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
