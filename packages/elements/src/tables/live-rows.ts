import type { Component } from '@connect-embed/contract';
import { LiveConnection, type LiveListener } from './live-connection.ts';
import { canApply, mergeChanges } from './matches-filters.ts';
import type { TableElement } from './table-element.ts';
import type { Resource } from './column.ts';

/** Changes that arrive within this time are rendered together. */
const BATCH_MS = 50;
/**
 * Minimum time between two announcements to screen readers, and between two updates of totals and
 * chart.
 */
const ANNOUNCE_INTERVAL_MS = 10_000;

/** The part of the row loader that live updates use. */
interface LiveRowsHost {
  /** Reloads the first page and merges it into the rows. */
  reload(): Promise<void>;
  /** Starts or stops polling; it runs while there is no stream. */
  setPolling(is: boolean): void;
  /** Reports the number of rows added since the last call, and whether any row has changed. */
  rowsChanged(added: number, changed: boolean): void;
}

/** Applies live changes to the rows of a table until the table reloads its first page. */
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
    this.#host.reload().catch(() => this.#host.setPolling(true)); // Polling retries the reload.
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
    const filters = Object.keys(pages.query ?? {});
    const isUnknown = (row: Row) => pages.sort || filters.some((name) => !canApply(name, row));
    if ([...changes.values()].some(isUnknown)) {
      // Only the API knows whether a new row matches and where it is in the sort order, so the first page
      // is loaded again.
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
    for (const { id } of added) pages.addedIds.add(id);
    if (rows !== pages.rows) {
      pages.rows = rows;
      this.#table.requestUpdate();
    }
    // Changes of rows that are not loaded also change the totals.
    this.#announce(added.length);
  }

  /** Announces changes immediately, and then at most once per interval. */
  #announce(added: number) {
    this.#unannounced = (this.#unannounced ?? 0) + added;
    if (this.#announceTimer) return;
    this.#host.rowsChanged(this.#unannounced, true);
    this.#unannounced = undefined;
    this.#announceTimer = setTimeout(() => {
      this.#announceTimer = undefined;
      // Clears the text: a screen reader does not announce the same text twice.
      this.#host.rowsChanged(0, false);
      if (this.#unannounced !== undefined) this.#announce(0);
    }, ANNOUNCE_INTERVAL_MS);
  }
}
