import type { List } from '@connect-embed/contract';
import { formatQuery } from '@connect-embed/contract/transport';
import type { Call, RequestOptions } from './call.ts';

/**
 * A list of the API. Nothing is loaded before it is iterated over or a page is requested, and every
 * iteration starts at the first page.
 */
export class ResourceList<Resource> implements AsyncIterable<Resource> {
  readonly #load: (cursor?: string) => Promise<List<Resource>>;

  constructor(call: Call, path: string, filters: object = {}, options?: RequestOptions) {
    this.#load = (cursor) => {
      const query = formatQuery(cursor === undefined ? filters : { ...filters, cursor });
      return call('GET', path + query, undefined, options);
    };
  }

  /** Loads one page: the first, or the one of `cursor` in the filters. */
  page(): Promise<List<Resource>> {
    return this.#load();
  }

  /** Iterates over pages; loads the next one only when it is needed. */
  async *pages(): AsyncGenerator<List<Resource>, void, undefined> {
    let page = await this.#load();
    yield page;
    while (page.has_more && page.next_cursor !== null) {
      page = await this.#load(page.next_cursor);
      yield page;
    }
  }

  /** Iterates over the resources of all pages. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Resource, void, undefined> {
    for await (const page of this.pages()) yield* page.data;
  }
}
