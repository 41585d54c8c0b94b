import { ConnectError, type AllowedSite, type Form } from '@connect-embed/contract';
import type { ResolvedConfig } from './connect-config.ts';
import { silentLog, type Log } from './log.ts';
import type { Upstream } from './upstream.ts';

/** Age at which a page view makes the list be fetched again, in the background. */
const REFRESH_AFTER_MS = 30_000;
/** Age above which a page view waits for the new list, so that a change is shown within a minute. */
const MAX_AGE_MS = 60_000;
/** While the API is unavailable, at most one request in this interval calls the API. */
const RETRY_AFTER_FAILURE_MS = 2000;
/** Rows of a page of the API's list. */
const PAGE_SIZE = 100;

/** The lists of the API that members edit in the dashboard and pages depend on. */
interface CachedLists {
  forms: Form;
  'allowed-sites': AllowedSite;
}

/**
 * A list of the API that all page views share: docs/decisions/0097-forms.md
 *
 * Up to 100 rows cost at most two API requests a minute, independent of the number of visitors, and most
 * of these requests are answered with 304. While the API fails, the last list is used.
 */
export class CachedList<Name extends keyof CachedLists> {
  readonly #name: Name;
  readonly #upstream: Upstream;
  readonly #isAvailable: boolean;
  readonly #log: Log;
  readonly #now: () => number;
  #rows: readonly CachedLists[Name][] = [];
  #etag: string | undefined;
  #fetchedAt = -Infinity;
  #failure: { error: unknown; retryAtMs: number } | undefined;
  #pendingRequest: Promise<void> | undefined;
  #isMissingLogged = false;

  constructor(name: Name, config: ResolvedConfig, upstream: Upstream) {
    this.#name = name;
    this.#upstream = upstream;
    // A platform has no credential of its own; its forms and sites are in the configuration.
    this.#isAvailable = config.apiKey !== undefined;
    this.#log = config.log ?? silentLog;
    this.#now = config.now ?? Date.now;
  }

  /**
   * Returns the rows of the list; none on a platform.
   *
   * @throws {ConnectError} the API's error if the list was never fetched
   */
  async get(): Promise<readonly CachedLists[Name][]> {
    if (!this.#isAvailable) return [];
    const ageMs = this.#now() - this.#fetchedAt;
    if (ageMs < REFRESH_AFTER_MS) return this.#rows;
    const hasList = this.#fetchedAt !== -Infinity;
    const request = this.#refresh();
    // While the API fails, pages do not wait for it.
    const mustWait = !hasList || (ageMs >= MAX_AGE_MS && !this.#failure);
    if (mustWait) await request;
    if (!hasList && this.#failure) throw this.#failure.error;
    return this.#rows;
  }

  /** Fetches the list. Concurrent calls share one request. A failure is kept, and not thrown. */
  async #refresh(): Promise<void> {
    if (this.#failure && this.#failure.retryAtMs > this.#now()) return;
    this.#pendingRequest ??= this.#fetch()
      .then(() => (this.#failure = undefined))
      .catch((error: unknown) => {
        this.#failure = { error, retryAtMs: this.#now() + RETRY_AFTER_FAILURE_MS };
      })
      .finally(() => (this.#pendingRequest = undefined));
    await this.#pendingRequest;
  }

  async #fetch(): Promise<void> {
    const requestedAt = this.#now();
    const page = await this.#upstream
      .call((api) => api.listIfChanged(this.#name, this.#etag, { limit: PAGE_SIZE }))
      .catch((error: unknown) => {
        if (!this.#isMissing(error)) throw error;
        return { data: [], next_cursor: null, etag: undefined };
      });
    if (page) {
      const { data, next_cursor: cursor } = page;
      this.#rows = (
        cursor ? [...data, ...(await this.#listFrom(cursor))] : data
      ) as CachedLists[Name][];
      // The tag of the first page does not say whether a row of another page has changed.
      this.#etag = cursor ? undefined : page.etag;
    }
    this.#fetchedAt = requestedAt;
  }

  async #listFrom(cursor: string): Promise<unknown[]> {
    return await this.#upstream.call(async (api) => {
      const rows: unknown[] = [];
      for await (const row of api.all(this.#name, { cursor, limit: PAGE_SIZE })) rows.push(row);
      return rows;
    });
  }

  /** Whether the API has no such list for this server: an older API, or a credential without the scope. */
  #isMissing(error: unknown): boolean {
    const { type } = (
      error instanceof ConnectError && error.cause instanceof ConnectError ? error.cause : error
    ) as Partial<ConnectError>;
    if (type === 'insufficient_scope' && !this.#isMissingLogged) {
      this.#isMissingLogged = true;
      this.#log.warn(
        { list: this.#name },
        'the API key has no scope reference:read, so settings of the dashboard cannot be used',
      );
    }
    return type === 'insufficient_scope' || type === 'not_found';
  }
}
