import type { Component } from '@connect-embed/contract';
import { LiveConnection, type LiveListener } from './live-connection.ts';
import { mergeChanges } from './matches-filters.ts';
import type { Resource, TableElement } from './table-element.ts';

/** Changes that come together are drawn together. */
const BATCH_MS = 50;
/** Whoever listens is not interrupted more often; what the sums are is not asked more often. */
const ANNOUNCE_INTERVAL_MS = 10_000;

/** What reading does for a table that is live. */
export interface LiveRowsHost {
  /** Reads the first page again, and merges it. */
  reload(): Promise<void>;
  /** Asks every few seconds, while no stream flows. */
  setPolling(is: boolean): void;
  /** So many rows are new since this was last said; `changed` tells that anything is. */
  rowsChanged(added: number, changed: boolean): void;
}

/** Keeps a table's rows as they are now, as long as its first page counts. */
export class LiveRows<Row extends Resource> implements LiveListener {
  readonly component: Component;
  readonly #table: TableElement<Row>;
  readonly #host: LiveRowsHost;
  #changes = new Map<string, Row>();
  #unannounced: number | undefined;
  #renderTimer: ReturnType<typeof setTimeout> | undefined;
  #announceTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(table: TableElement<Row>, host: LiveRowsHost) {
    this.#table = table;
    this.#host = host;
    this.component = table.pages.component;
  }

  connect(signal: AbortSignal) {
    const connection = LiveConnection.of(this.#table.pages.session!);
    connection.join(this);
    const leave = () => {
      connection.leave(this);
      clearTimeout(this.#renderTimer);
      clearTimeout(this.#announceTimer);
    };
    signal.addEventListener('abort', leave, { once: true });
  }

  reload() {
    this.#host.reload().catch(() => this.#host.setPolling(true)); // It goes on trying.
  }

  streamChanged(is: boolean) {
    this.#host.setPolling(!is);
  }

  rowChanged(row: Resource) {
    this.#changes.set(row.id, row as Row);
    this.#renderTimer ??= setTimeout(() => this.#applyChanges(), BATCH_MS);
  }

  #applyChanges() {
    this.#renderTimer = undefined;
    let changes = this.#changes;
    this.#changes = new Map();
    const { pages, renderRoot } = this.#table;
    if (pages.sort || pages.query?.['q']) {
      // Whether a new row belongs here, and where, the API knows: the first page is read again.
      const known = new Set(pages.rows.map(({ id }) => id));
      if ([...changes.keys()].some((id) => !known.has(id))) this.reload();
      changes = new Map([...changes].filter(([id]) => known.has(id)));
    }
    const focused = (renderRoot as ShadowRoot).activeElement?.closest<HTMLElement>('tr[data-id]');
    const { rows, added } = mergeChanges(pages.rows, changes, {
      filters: pages.query,
      hasMore: pages.hasMore,
      focusedId: focused?.dataset['id'],
    });
    for (const { id } of added) pages.fresh.add(id);
    if (rows !== pages.rows) {
      pages.rows = rows;
      this.#table.requestUpdate();
    }
    // Sums change with rows that are not loaded, too.
    this.#announce(added.length);
  }

  /** At once, and then no more often than people can bear. */
  #announce(added: number) {
    this.#unannounced = (this.#unannounced ?? 0) + added;
    if (this.#announceTimer) return;
    this.#host.rowsChanged(this.#unannounced, true);
    this.#unannounced = undefined;
    this.#announceTimer = setTimeout(() => {
      this.#announceTimer = undefined;
      this.#host.rowsChanged(0, false); // The same words would not be read out again.
      if (this.#unannounced !== undefined) this.#announce(0);
    }, ANNOUNCE_INTERVAL_MS);
  }
}
