import { ConnectError } from '@connect-embed/contract/error';
import type { ReactiveController } from 'lit';
import { ConnectLoadErrorEvent } from '../events.ts';
import { Poller } from '../shared/poller.ts';
import type { Resource } from './column.ts';
import { mergeRows, replaceFirstPage } from './merge-rows.ts';
import type { PagedList } from './paged-list.ts';
import type { TableElement } from './table-element.ts';

const DEFAULT_REFRESH_SECONDS = 5;

/** Maximum delay between polls after failures. */
const MAX_DELAY_SECONDS = 60;

/**
 * Loads everything after the first page of a table: further pages, and changes by polling or by a live
 * stream.
 */
export class RowLoader<Row extends Resource> implements ReactiveController {
  /** Number of rows added by the latest reload, for the screen-reader announcement. */
  addedCount = 0;
  /** Increases with each new first page and each change of rows, for what is computed from them. */
  revision = 0;
  readonly #table: TableElement<Row>;
  readonly #list: PagedList<Row>;
  readonly #poller = new Poller(() => this.#poll());
  #pollFailures = 0;
  #knownIds = new Set<string>();
  #knownRows: Row[] = [];
  #listSignal: AbortSignal | undefined;
  #intervalSeconds = 0;
  #stream: AbortController | undefined;
  #lastPage = '';

  constructor(table: TableElement<Row>) {
    this.#table = table;
    this.#list = table.pages;
    table.addController(this);
  }

  /**
   * Starts polling or streaming when the first page is ready, and again when its settings or the first
   * page have changed.
   */
  hostUpdated() {
    const { signal } = this.#list.abort;
    const seconds = this.#refreshSeconds;
    const isReady = this.#list.status === 'ready' && !signal.aborted;
    const isStreaming = this.#stream !== undefined;
    const isUnchanged =
      signal === this.#listSignal &&
      seconds === this.#intervalSeconds &&
      this.#table.live === isStreaming;
    if (!isReady || isUnchanged) return;
    if (signal !== this.#listSignal) this.revision += 1;
    this.#listSignal = signal;
    this.#intervalSeconds = seconds;
    this.addedCount = 0;
    this.#startPolling();
    this.#stream?.abort();
    const stream = (this.#stream = this.#table.live ? new AbortController() : undefined);
    const stop = () => {
      this.#poller.stop();
      stream?.abort();
    };
    signal.addEventListener('abort', stop, { once: true });
    if (stream) this.#startStream(stream.signal).catch(() => {});
  }

  #startPolling() {
    this.#poller.stop();
    this.#pollFailures = 0;
    if (this.#intervalSeconds) this.#poller.start(this.#intervalSeconds * 1000);
  }

  /** Reloads the first page, and returns the delay until the next time, in milliseconds. */
  async #poll(): Promise<number> {
    try {
      await this.#reload();
      this.#pollFailures = 0;
      return this.#intervalSeconds * 1000;
    } catch (error) {
      this.#pollFailures += 1;
      const retryAfter = error instanceof ConnectError ? (error.retryAfterSeconds ?? 0) : 0;
      const backOff = Math.min(this.#intervalSeconds * 2 ** this.#pollFailures, MAX_DELAY_SECONDS);
      return Math.max(this.#intervalSeconds, backOff, retryAfter) * 1000;
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
        if (shouldPoll) this.#startPolling();
        else this.#poller.stop();
      },
      rowsChanged: (added, changed) => {
        this.addedCount = added;
        if (changed) this.revision += 1;
        this.#table.requestUpdate();
      },
    });
    rows.connect(signal);
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
      const more = this.#unknownRows(page.data);
      pages.rows = [...pages.rows, ...more];
      for (const { id } of more) this.#knownIds.add(id);
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
    this.#knownRows = rows;
    return data.filter(({ id }) => !this.#knownIds.has(id));
  }

  async #reload() {
    const pages = this.#list;
    const { signal } = pages.abort;
    try {
      const page = await pages.readPage(null, signal);
      pages.isStale = false;
      const added = this.#unknownRows(page.data);
      const merged = pages.sort ? replaceFirstPage(pages.rows, page) : mergeRows(pages.rows, page);
      this.addedCount = added.length;
      if (JSON.stringify(page) !== this.#lastPage) this.revision += 1;
      this.#lastPage = JSON.stringify(page);
      for (const { id } of added) pages.addedIds.add(id);
      if (merged) pages.rows = merged;
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
