import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { Component, ConnectError, List } from '@connect-embed/contract';
import type { ConnectProvider } from '../connect-provider.ts';
import { ConnectLoadErrorEvent, ConnectLoadStartEvent, ConnectReadyEvent } from '../events.ts';
import { ComponentSession } from './component-session.ts';
import { getDefaultProvider, findProvider } from './default-provider.ts';
import { logLoadError } from '../shared/log-load-error.ts';
import { resolveServer } from '../shared/resolve-server.ts';

type ListStatus = 'loading' | 'ready' | 'failed';

/** The table element that shows a list. Its properties may change at any time. */
export interface ListHost extends ReactiveControllerHost, HTMLElement {
  readonly server: string;
  readonly viewerToken: string | null;
  readonly limit: number | string;
  /**
   * Resolves when all code and messages are loaded that the rows, or a message in their place, need.
   */
  whenReady(): Promise<unknown>;
}

/** Rows per page (spec: Limits). */
const DEFAULT_LIMIT = 25;
export const MAX_LIMIT = 100;

/**
 * A controller that loads the rows of a list page by page.
 *
 * The browser reads directly from the API; the server (BFF) only opens the session. What happens
 * after the first page is drawn is in `tables/row-loader.ts`, which is loaded then.
 */
export class PagedList<Row extends { id: string }> implements ReactiveController {
  status: ListStatus = 'loading';
  /** The error if `status` is `failed`. */
  error: unknown;
  rows: Row[] = [];
  hasMore = false;
  cursor: string | null = null;
  /** True while a further page is loading. */
  isLoadingMore = false;
  /** True if the latest attempts to refresh failed. The rows are still shown. */
  isStale = false;
  /** Ids of the rows that were added after the first page was drawn. */
  readonly addedIds = new Set<string>();
  /** Filters of the list, as query parameters of the API. */
  query?: Readonly<Record<string, string>> | undefined;
  /** Sort order, as the API's `sort` parameter; undefined is the API's default order. */
  sort?: string | undefined;
  /** Aborts the current reads when their results are no longer needed. */
  abort = new AbortController();

  readonly component: Component;
  readonly #host: ListHost;
  #session: ComponentSession | undefined;
  #provider: ConnectProvider | undefined;
  #limit = 0;
  /** Filters and sort order of the rows that are shown. */
  #shown: Pick<PagedList<Row>, 'query' | 'sort'> | undefined;

  constructor(host: ListHost, component: Component) {
    this.#host = host;
    this.component = component;
    host.addController(this);
  }

  /** The component session that the rows are read with. */
  get session(): ComponentSession | undefined {
    return this.#session;
  }

  /** Rows per page, within the API's bounds. */
  get limit(): number {
    const limit = +this.#host.limit; // It may be a numeric string.
    // `tables/check-attributes.ts` warns about an invalid value.
    return Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT ? limit : DEFAULT_LIMIT;
  }

  /** Any property may have changed the session, so it is looked up on each update. */
  hostUpdate() {
    if (!this.#host.isConnected) return;
    const session = this.#findSession();
    if (session === this.#session && this.limit === this.#limit) return;
    this.#limit = this.limit;
    if (session !== this.#session) {
      this.#session?.leave(this);
      this.#session = session;
      session.join(this);
    }
    this.reset();
  }

  hostConnected() {
    this.redraw();
  }

  hostDisconnected() {
    this.abort.abort();
    this.#session?.leave(this);
    this.#session = undefined;
    this.#provider?.tables.delete(this.#host);
    this.#provider = undefined;
  }

  redraw() {
    this.#host.requestUpdate();
  }

  /** Clears the rows and reads the first page. */
  reset() {
    this.rows = [];
    void this.loadFirstPage();
  }

  /** Reads the first page again. Rows that are shown stay until it has arrived. */
  async loadFirstPage(): Promise<void> {
    this.abort.abort();
    const { signal } = (this.abort = new AbortController());
    if (!this.rows.length) this.status = 'loading';
    this.isLoadingMore = this.isStale = false;
    this.#host.requestUpdate();
    if (!this.#session || this.#session.isWaiting) return;
    this.#host.dispatchEvent(new ConnectLoadStartEvent());
    try {
      const { query, sort } = this;
      this.setPage(await this.readPage(null, signal));
      this.#shown = { query, sort };
      this.addedIds.clear();
      await this.#host.whenReady();
      if (signal.aborted) return;
      this.status = 'ready';
      this.#host.requestUpdate();
      await this.#host.updateComplete;
      if (!signal.aborted) this.#host.dispatchEvent(new ConnectReadyEvent());
    } catch (error) {
      if (!signal.aborted && this.#restoreRefused(error)) return;
      if (!signal.aborted) this.rows = [];
      await this.#host.whenReady().catch(() => {});
      if (!signal.aborted) this.#fail(error);
    }
  }

  /**
   * Restores the filters and the sort order of the rows that are shown if the API refuses others, for example
   * because the session masks a field.
   */
  #restoreRefused(error: unknown): boolean {
    if (!this.rows.length || (error as ConnectError).type !== 'invalid_request') return false;
    console.error(`<${this.#host.localName}>`, error);
    Object.assign(this, this.#shown);
    this.#host.requestUpdate();
    return true;
  }

  /** Reads the page after a cursor. */
  readPage(cursor: string | null, signal: AbortSignal, limit = this.limit): Promise<List<Row>> {
    const query = new URLSearchParams({
      limit: `${limit}`,
      ...this.query,
      ...(this.sort && { sort: this.sort }),
      ...(cursor && { cursor }),
    });
    return this.readPath(`?${query}`, signal);
  }

  /** Reads a path below the list's URL. */
  async readPath<Body>(path: string, signal: AbortSignal): Promise<Body> {
    signal.throwIfAborted(); // The element may have been removed, and has no session then.
    return this.#session!.read(this.component, `/${this.component}${path}`, signal);
  }

  setPage(page: List<Row>) {
    this.rows = keepUnchanged(this.rows, page.data);
    this.hasMore = page.has_more;
    this.cursor = page.next_cursor;
  }

  /** The table's own attributes take precedence, then the provider around it, then the page's options. */
  #findSession(): ComponentSession {
    const { server, viewerToken } = this.#host;
    let provider: ConnectProvider | undefined;
    if (!server && viewerToken === null) {
      provider = findProvider(this.#host) ?? getDefaultProvider();
    }
    if (provider !== this.#provider) {
      this.#provider?.tables.delete(this.#host);
      provider?.tables.add(this.#host);
      this.#provider = provider;
    }
    if (provider) return provider.session;
    if (this.#session?.renew?.(this.#host)) return this.#session;
    return ComponentSession.of(resolveServer(this.#host, server), viewerToken);
  }

  #fail(error: unknown) {
    const { minted, source } = this.#session!;
    // With a minted session, the failed request was one to the API.
    const isServerRequest = !minted && !source.fetchSession;
    void logLoadError(
      `<${this.#host.localName}>`,
      error,
      isServerRequest ? source.server : undefined,
    );
    this.error = error;
    this.status = 'failed';
    this.#host.requestUpdate();
    this.#host.dispatchEvent(new ConnectLoadErrorEvent(error));
  }
}

/**
 * Replaces new rows by the equal ones that are already known. A row that is still the same object is not
 * rendered again, so custom cells in it keep their focus and selection.
 */
export function keepUnchanged<Row extends { id: string }>(known: Row[], rows: Row[]): Row[] {
  const byId = new Map(known.map((row) => [row.id, row]));
  return rows.map((row) => {
    const before = byId.get(row.id);
    return before && JSON.stringify(before) === JSON.stringify(row) ? before : row;
  });
}
