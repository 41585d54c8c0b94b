import type { Component, List } from '@connect-embed/contract';
import { ConnectError } from '@connect-embed/contract/error';
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { ConnectLoadErrorEvent, ConnectLoadStartEvent, ConnectReadyEvent } from '../events.ts';
import { ComponentSession } from './component-session.ts';
import type { Live } from './live.ts';
import { serverOf, warnOnce } from './script-home.ts';

export type PagesStatus = 'loading' | 'ready' | 'failed' | 'denied' | 'expired' | 'busy';

/** What a table's element tells its pages; all of it may change at any time. */
export interface PagesHost extends ReactiveControllerHost, HTMLElement {
  readonly server: string;
  readonly viewerToken: string | null;
  readonly limit: number;
  readonly refreshSeconds: number;
}

/** Rows of a page (spec: Limits). */
const DEFAULT_LIMIT = 25;
const MAX_LIMIT = 100;
const DEFAULT_REFRESH_SECONDS = 5;

/**
 * The rows of a list: read page by page, kept up to date from the top.
 *
 * Reads go from the browser to the API; the server only opened the session.
 */
export class Pages<Row extends { id: string }> implements ReactiveController {
  status: PagesStatus = 'loading';
  rows: Row[] = [];
  hasMore = false;
  /** The next page is on its way. */
  reading = false;
  /** The latest tries to look for news failed; the rows are as they were. */
  stale = false;
  /** Ids that came after the table was first drawn. */
  readonly fresh = new Set<string>();
  /** How many rows the latest look brought; told politely. */
  added = 0;

  readonly component: Component;
  readonly #host: PagesHost;
  #live: Live | undefined;
  #session: ComponentSession | undefined;
  #cursor: string | null = null;
  #reading = new AbortController();
  #source = '';

  constructor(host: PagesHost, component: Component) {
    this.#host = host;
    this.component = component;
    host.addController(this);
  }

  /** Rows read at a time, within what the API takes. */
  get limit(): number {
    const { limit } = this.#host;
    if (Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT) return limit;
    warnOnce(this.#host, 'limit', `${limit}`, `a whole number from 1 to ${MAX_LIMIT}`);
    return DEFAULT_LIMIT;
  }

  /** Where rows come from may have changed with any property. */
  hostUpdate() {
    if (!this.#host.isConnected) return;
    const server = serverOf(this.#host, this.#host.server);
    const source = `${server} ${this.#host.viewerToken ?? ''} ${this.limit}`;
    if (source === this.#source) return;
    this.#source = source;
    this.#session?.leave(this.component);
    this.#session = ComponentSession.of(server, this.#host.viewerToken);
    this.#session.join(this.component);
    this.rows = [];
    void this.first();
  }

  hostConnected() {
    if (this.#source) this.#host.requestUpdate();
  }

  hostDisconnected() {
    this.#reading.abort();
    this.#live?.stop();
    this.#session?.leave(this.component);
    this.#session = undefined;
    this.#source = '';
  }

  /** Reads the first page anew; rows that are shown stay until it is there. */
  async first(): Promise<void> {
    this.#reading.abort();
    const { signal } = (this.#reading = new AbortController());
    this.#live?.stop();
    this.status = this.rows.length ? this.status : 'loading';
    this.reading = this.stale = false;
    this.#host.requestUpdate();
    this.#host.dispatchEvent(new ConnectLoadStartEvent());
    try {
      const page = await this.#read(null, signal);
      this.#take(page);
      this.status = 'ready';
      this.fresh.clear();
      this.#host.requestUpdate();
      this.#host.dispatchEvent(new ConnectReadyEvent());
      await this.#goLive(signal);
    } catch (error) {
      if (!signal.aborted) this.#fail(error);
    }
  }

  /** Reads the page after the last row. */
  async more(): Promise<void> {
    if (this.reading || !this.hasMore) return;
    const { signal } = this.#reading;
    this.reading = true;
    this.#host.requestUpdate();
    try {
      const page = await this.#read(this.#cursor, signal);
      const known = new Set(this.rows.map(({ id }) => id));
      this.rows = [...this.rows, ...page.data.filter(({ id }) => !known.has(id))];
      this.hasMore = page.has_more;
      this.#cursor = page.next_cursor;
      this.stale = false;
    } catch (error) {
      if (signal.aborted) return;
      this.stale = true;
      this.#host.dispatchEvent(new ConnectLoadErrorEvent(error));
    } finally {
      if (!signal.aborted) this.reading = false;
      this.#host.requestUpdate();
    }
  }

  get #refreshSeconds(): number {
    const seconds = this.#host.refreshSeconds;
    if (Number.isFinite(seconds) && seconds >= 0) return seconds;
    warnOnce(this.#host, 'refresh-seconds', `${seconds}`, 'a number of seconds, or 0 for never');
    return DEFAULT_REFRESH_SECONDS;
  }

  #read(cursor: string | null, signal: AbortSignal): Promise<List<Row>> {
    const query = new URLSearchParams({ limit: `${this.limit}`, ...(cursor && { cursor }) });
    return this.#session!.read<List<Row>>(this.component, `/${this.component}?${query}`, signal);
  }

  #take(page: List<Row>) {
    this.rows = page.data;
    this.hasMore = page.has_more;
    this.#cursor = page.next_cursor;
  }

  /** The rest of the file is fetched once the first rows are shown. */
  async #goLive(signal: AbortSignal) {
    const seconds = this.#refreshSeconds;
    if (!seconds) return;
    const { Live, mergeRows } = await import('./live.ts');
    if (signal.aborted) return;
    this.#live = new Live(async () => {
      try {
        const page = await this.#read(null, signal);
        this.stale = false;
        this.#show(page, mergeRows(this.rows, page));
      } catch (error) {
        this.stale = !signal.aborted;
        throw error;
      } finally {
        this.#host.requestUpdate();
      }
    });
    this.#live.start(seconds);
  }

  #show(page: List<Row>, news: { added: Row[]; rows: Row[] } | undefined) {
    this.added = news ? news.added.length : page.data.length;
    for (const { id } of news?.added ?? page.data) this.fresh.add(id);
    if (news) this.rows = news.rows;
    else this.#take(page);
  }

  #fail(error: unknown) {
    console.error(`<${this.#host.localName}>`, error);
    this.rows = [];
    this.status = statusOf(error);
    this.#host.requestUpdate();
    this.#host.dispatchEvent(new ConnectLoadErrorEvent(error));
  }
}

function statusOf(error: unknown): PagesStatus {
  const type = error instanceof ConnectError ? error.type : '';
  if (type === 'unauthorized') return 'expired';
  if (type === 'forbidden' || type === 'insufficient_scope') return 'denied';
  return type === 'rate_limited' ? 'busy' : 'failed';
}
