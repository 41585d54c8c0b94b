import type { Component } from '@connect-embed/contract';
import { LiveConnection, type Listener } from './live-connection.ts';
import { bringIn } from './live-fit.ts';
import type { Resource, TableElement } from './table-element.ts';

/** Changes that come together are drawn together. */
const TOGETHER_MS = 50;
/** Whoever listens is not interrupted more often; what the sums are is not asked more often. */
const QUIET_MS = 10_000;

/** What reading does for a table that is live. */
export interface LiveReading {
  /** Reads the first page again, and merges it. */
  look(): Promise<void>;
  /** Asks every few seconds, while no stream flows. */
  asks(is: boolean): void;
  /** So many rows are new since this was last said; `changed` tells that anything is. */
  told(added: number, changed: boolean): void;
}

/** Keeps a table's rows as they are now, as long as its first page counts. */
export class LiveRows<Row extends Resource> implements Listener {
  readonly component: Component;
  readonly #table: TableElement<Row>;
  readonly #reading: LiveReading;
  #changes = new Map<string, Row>();
  #untold: number | undefined;
  #drawing: ReturnType<typeof setTimeout> | undefined;
  #quiet: ReturnType<typeof setTimeout> | undefined;

  constructor(table: TableElement<Row>, reading: LiveReading) {
    this.#table = table;
    this.#reading = reading;
    this.component = table.pages.component;
  }

  follow(signal: AbortSignal) {
    const connection = LiveConnection.of(this.#table.pages.session!);
    connection.join(this);
    const leave = () => {
      connection.leave(this);
      clearTimeout(this.#drawing);
      clearTimeout(this.#quiet);
    };
    signal.addEventListener('abort', leave, { once: true });
  }

  catchUp() {
    this.#reading.look().catch(() => this.#reading.asks(true)); // It goes on trying.
  }

  flows(is: boolean) {
    this.#reading.asks(!is);
  }

  changed(row: Resource) {
    this.#changes.set(row.id, row as Row);
    this.#drawing ??= setTimeout(() => this.#draw(), TOGETHER_MS);
  }

  #draw() {
    this.#drawing = undefined;
    let changes = this.#changes;
    this.#changes = new Map();
    const { pages, renderRoot } = this.#table;
    if (pages.sort || pages.query?.['q']) {
      // Whether a new row belongs here, and where, the API knows: the first page is read again.
      const known = new Set(pages.rows.map(({ id }) => id));
      if ([...changes.keys()].some((id) => !known.has(id))) this.catchUp();
      changes = new Map([...changes].filter(([id]) => known.has(id)));
    }
    const focused = (renderRoot as ShadowRoot).activeElement?.closest<HTMLElement>('tr[data-id]');
    const { rows, added } = bringIn(pages.rows, changes, {
      filters: pages.query,
      hasMore: pages.hasMore,
      held: focused?.dataset['id'],
    });
    for (const { id } of added) pages.fresh.add(id);
    if (rows !== pages.rows) {
      pages.rows = rows;
      this.#table.requestUpdate();
    }
    // Sums change with rows that are not loaded, too.
    this.#tell(added.length);
  }

  /** At once, and then no more often than people can bear. */
  #tell(added: number) {
    this.#untold = (this.#untold ?? 0) + added;
    if (this.#quiet) return;
    this.#reading.told(this.#untold, true);
    this.#untold = undefined;
    this.#quiet = setTimeout(() => {
      this.#quiet = undefined;
      this.#reading.told(0, false); // The same words would not be read out again.
      if (this.#untold !== undefined) this.#tell(0);
    }, QUIET_MS);
  }
}
