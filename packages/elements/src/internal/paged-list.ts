import type { Component, List } from '@connect-embed/contract';
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { ConnectProvider } from '../connect-provider.ts';
import { ConnectLoadErrorEvent, ConnectLoadStartEvent, ConnectReadyEvent } from '../events.ts';
import { ComponentSession } from './component-session.ts';
import { getDefaultProvider, findProvider } from './default-provider.ts';
import { resolveTableServer } from './script-url.ts';

export type ListStatus = 'loading' | 'ready' | 'failed';

/** What a table's element tells its pages; all of it may change at any time. */
export interface ListHost extends ReactiveControllerHost, HTMLElement {
  readonly server: string;
  readonly viewerToken: string | null;
  readonly limit: number;
  /** Whatever must be there before rows are shown, or the face of a table without. */
  beforeShown(): Promise<unknown>;
}

/** Rows of a page (spec: Limits). */
const DEFAULT_LIMIT = 25;
export const MAX_LIMIT = 100;

/**
 * The rows of a list, as far as they have been read.
 *
 * Reads go from the browser to the API; the server only opened the session. What happens after the
 * first page is drawn stands in `tables/row-loader.ts`, which is fetched then.
 */
export class PagedList<Row extends { id: string }> implements ReactiveController {
  status: ListStatus = 'loading';
  /** Why it failed. */
  error: unknown;
  rows: Row[] = [];
  hasMore = false;
  cursor: string | null = null;
  /** The next page is on its way. */
  isReading = false;
  /** The latest tries to look for news failed; the rows are as they were. */
  stale = false;
  /** Ids that came after the table was first drawn. */
  readonly fresh = new Set<string>();
  /** Narrows what is read, in the API's words. */
  query?: Readonly<Record<string, string>>;
  /** The order that is asked for, in the API's words; its own when undefined. */
  sort?: string | undefined;
  /** Ends whatever is read when it no longer counts. */
  abort = new AbortController();

  readonly component: Component;
  readonly #host: ListHost;
  #session: ComponentSession | undefined;
  #provider: ConnectProvider | undefined;
  #limit = 0;

  constructor(host: ListHost, component: Component) {
    this.#host = host;
    this.component = component;
    host.addController(this);
  }

  /** Whose leave to read the rows come with. */
  get session(): ComponentSession | undefined {
    return this.#session;
  }

  /** Rows read at a time, within what the API takes. */
  get limit(): number {
    const limit = +this.#host.limit; // Frameworks may set it as a text.
    // Whatever else it is: `tables/check-attributes.ts` tells.
    return Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT ? limit : DEFAULT_LIMIT;
  }

  /** Where rows come from may have changed with any property. */
  hostUpdate() {
    if (!this.#host.isConnected) return;
    const session = this.#findSession();
    if (session === this.#session && this.limit === this.#limit) return;
    this.#limit = this.limit;
    this.#session?.leave(this);
    this.#session = session;
    session.join(this);
    this.beginAnew();
  }

  hostConnected() {
    this.#host.requestUpdate();
  }

  hostDisconnected() {
    this.abort.abort();
    this.#session?.leave(this);
    this.#session = undefined;
    this.#provider?.tables.delete(this.#host);
    this.#provider = undefined;
  }

  /** Nothing of what was shown stays. */
  beginAnew() {
    this.rows = [];
    void this.first();
  }

  /** Reads the first page anew; rows that are shown stay until it is there. */
  async first(): Promise<void> {
    this.abort.abort();
    const { signal } = (this.abort = new AbortController());
    if (!this.rows.length) this.status = 'loading';
    this.isReading = this.stale = false;
    this.#host.requestUpdate();
    if (this.#session?.waits) return;
    this.#host.dispatchEvent(new ConnectLoadStartEvent());
    try {
      this.setPage(await this.readPage(null, signal));
      this.fresh.clear();
      await this.#host.beforeShown();
      if (signal.aborted) return;
      this.status = 'ready';
      this.#host.requestUpdate();
      this.#host.dispatchEvent(new ConnectReadyEvent());
    } catch (error) {
      this.rows = signal.aborted ? this.rows : [];
      await this.#host.beforeShown().catch(() => {});
      if (!signal.aborted) this.#fail(error);
    }
  }

  /** Reads one page behind a cursor. */
  readPage(cursor: string | null, signal: AbortSignal, limit = this.limit): Promise<List<Row>> {
    const query = new URLSearchParams({
      limit: `${limit}`,
      ...this.query,
      ...(this.sort && { sort: this.sort }),
      ...(cursor && { cursor }),
    });
    return this.readPath(`?${query}`, signal);
  }

  /** Reads whatever stands under the list's address. */
  readPath<Answer>(path: string, signal: AbortSignal): Promise<Answer> {
    return this.#session!.read(this.component, `/${this.component}${path}`, signal);
  }

  setPage(page: List<Row>) {
    this.rows = page.data;
    this.hasMore = page.has_more;
    this.cursor = page.next_cursor;
  }

  /** The table's own attributes come first, then the provider around it, then the page's. */
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
    return ComponentSession.of(resolveTableServer(server), viewerToken);
  }

  #fail(error: unknown) {
    console.error(`<${this.#host.localName}>`, error);
    this.rows = [];
    this.error = error;
    this.status = 'failed';
    this.#host.requestUpdate();
    this.#host.dispatchEvent(new ConnectLoadErrorEvent(error));
  }
}
