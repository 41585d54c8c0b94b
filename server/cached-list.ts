import type { AllowedSite, Form } from '@connect-embed/contract';
import type { ResolvedConfig } from './connect-config.ts';
import { MissingResources } from './missing-resources.ts';
import { PolledResource } from './polled-resource.ts';
import type { Upstream } from './upstream.ts';

/** Rows of a page of the API's list. */
const PAGE_SIZE = 100;

/** The lists of the API that members edit in the dashboard and pages depend on. */
export interface CachedLists {
  forms: Form;
  'allowed-sites': AllowedSite;
}

/**
 * A list of the API that all page views share: docs/decisions/0097-forms.md
 *
 * Up to 100 rows cost at most two API requests a minute.
 */
export class CachedList<Name extends keyof CachedLists> {
  readonly #name: Name;
  readonly #upstream: Upstream;
  readonly #organization: string | undefined;
  readonly #missing: MissingResources;
  readonly #rows: PolledResource<readonly CachedLists[Name][]>;

  /** @param organization on a platform: the connected organization of the list */
  constructor(name: Name, config: ResolvedConfig, upstream: Upstream, organization?: string) {
    this.#name = name;
    this.#upstream = upstream;
    this.#organization = organization;
    this.#missing = new MissingResources(config.log);
    this.#rows = new PolledResource((etag) => this.#fetch(etag), config.now);
  }

  /** @throws {ConnectError} the API's error if the list was never fetched */
  get(): Promise<readonly CachedLists[Name][]> {
    return this.#rows.get();
  }

  async #fetch(etag: string | undefined) {
    const page = await this.#upstream
      .call((api) => api.listIfChanged(this.#name, etag, { limit: PAGE_SIZE }), this.#organization)
      .catch((error: unknown) => {
        if (!this.#missing.has(error, this.#name)) throw error;
        return { data: [], next_cursor: null, etag: undefined };
      });
    if (!page) return undefined;
    const { data, next_cursor: cursor } = page;
    const rows = cursor ? [...data, ...(await this.#listFrom(cursor))] : data;
    return {
      value: rows as CachedLists[Name][],
      // The tag of the first page does not say whether a row of another page has changed.
      etag: cursor ? undefined : page.etag,
    };
  }

  async #listFrom(cursor: string): Promise<unknown[]> {
    return await this.#upstream.call(async (api) => {
      const rows: unknown[] = [];
      for await (const row of api.all(this.#name, { cursor, limit: PAGE_SIZE })) rows.push(row);
      return rows;
    }, this.#organization);
  }
}
