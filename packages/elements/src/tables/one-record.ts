import type { Component, List } from '@connect-embed/contract';
import { Pages, type PagesHost } from '../internal/pages.ts';
import type { Resource } from './table-element.ts';

/** One resource, with all that a list has around it: session, provider, events and faces. */
export class OneRecord<Row extends Resource> extends Pages<Row> {
  readonly #idOf: () => string;

  /** @param idOf which one; the empty text is none */
  constructor(host: PagesHost, component: Component, idOf: () => string) {
    super(host, component);
    this.#idOf = idOf;
  }

  get record(): Row | undefined {
    return this.rows[0];
  }

  /** Below the list's address. */
  get path() {
    return `/${encodeURIComponent(this.#idOf())}`;
  }

  override async read(_cursor: string | null, signal: AbortSignal): Promise<List<Row>> {
    const data = this.#idOf() ? [await this.ask<Row>(this.path, signal)] : [];
    return { data, has_more: false, next_cursor: null };
  }
}
