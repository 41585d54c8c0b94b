import type { Component, List } from '@connect-embed/contract';
import { PagedList, type ListHost } from '../internal/paged-list.ts';
import type { Resource } from './table-element.ts';

/** One resource, with all that a list has around it: session, provider, events and faces. */
export class SingleResource<Row extends Resource> extends PagedList<Row> {
  readonly #getId: () => string;

  /** @param getId which one; the empty text is none */
  constructor(host: ListHost, component: Component, getId: () => string) {
    super(host, component);
    this.#getId = getId;
  }

  get record(): Row | undefined {
    return this.rows[0];
  }

  /** Below the list's address. */
  get path() {
    return `/${encodeURIComponent(this.#getId())}`;
  }

  override async readPage(_cursor: string | null, signal: AbortSignal): Promise<List<Row>> {
    const data = this.#getId() ? [await this.readPath<Row>(this.path, signal)] : [];
    return { data, has_more: false, next_cursor: null };
  }
}
