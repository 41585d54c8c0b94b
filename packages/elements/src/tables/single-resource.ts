import type { Component, List } from '@connect-embed/contract';
import { PagedList, type ListHost } from './paged-list.ts';
import type { Resource } from './column.ts';

/**
 * A single resource, loaded as a list of at most one row. It reuses the session, provider, events and
 * states of `PagedList`.
 */
export class SingleResource<Row extends Resource> extends PagedList<Row> {
  readonly #getId: () => string;

  /** @param getId returns the resource's id; an empty string when none is selected */
  constructor(host: ListHost, component: Component, getId: () => string) {
    super(host, component);
    this.#getId = getId;
  }

  get record(): Row | undefined {
    return this.rows[0];
  }

  /** Path of the resource below that of the list. */
  get path() {
    return `/${encodeURIComponent(this.#getId())}`;
  }

  override async readPage(_cursor: string | null, signal: AbortSignal): Promise<List<Row>> {
    const data = this.#getId() ? [await this.readPath<Row>(this.path, signal)] : [];
    return { data, has_more: false, next_cursor: null };
  }
}
