/** Age at which a use makes the resource be fetched again, in the background. */
const REFRESH_AFTER_MS = 30_000;
/**
 * Age above which a use waits for the new version. Caches may keep a form for 15 seconds more
 * (`routes/embed-form.ts`), so a change is shown within a minute.
 */
const MAX_AGE_MS = 45_000;
/** While the API is unavailable, at most one request in this interval calls the API. */
const RETRY_AFTER_FAILURE_MS = 2000;

/**
 * Fetches a resource.
 *
 * @param etag entity tag of the version that is cached
 * @returns undefined if that version is still the current one
 */
type Fetch<Value> = (
  etag: string | undefined,
) => Promise<{ value: Value; etag: string | undefined } | undefined>;

/**
 * A resource of the API that all page views share: docs/decisions/0097-forms.md
 *
 * It is fetched at most twice a minute while it is used, independent of the number of visitors, and most
 * of these requests are answered with 304. While the API fails, the last version is used.
 */
export class PolledResource<Value> {
  readonly #fetch: Fetch<Value>;
  readonly #now: () => number;
  #current: { value: Value; etag: string | undefined; fetchedAt: number } | undefined;
  #failure: { error: unknown; retryAtMs: number } | undefined;
  #pendingRequest: Promise<void> | undefined;

  constructor(fetch: Fetch<Value>, now: () => number = Date.now) {
    this.#fetch = fetch;
    this.#now = now;
  }

  /** @throws {ConnectError} the API's error if the resource was never fetched */
  async get(): Promise<Value> {
    const ageMs = this.#now() - (this.#current?.fetchedAt ?? -Infinity);
    if (this.#current && ageMs < REFRESH_AFTER_MS) return this.#current.value;
    // Between two attempts pages do not wait. An older failure says nothing about the API of now.
    const isFailing = this.#isFailing();
    const request = this.#refresh();
    if (!this.#current || (ageMs >= MAX_AGE_MS && !isFailing)) await request;
    if (!this.#current) throw this.#failure!.error;
    return this.#current.value;
  }

  #isFailing(): boolean {
    return this.#failure !== undefined && this.#failure.retryAtMs > this.#now();
  }

  /** Fetches the resource. Concurrent calls share one request. A failure is kept, and not thrown. */
  async #refresh(): Promise<void> {
    if (this.#isFailing()) return;
    this.#pendingRequest ??= this.#load()
      .then(() => (this.#failure = undefined))
      .catch((error: unknown) => {
        this.#failure = { error, retryAtMs: this.#now() + RETRY_AFTER_FAILURE_MS };
      })
      .finally(() => (this.#pendingRequest = undefined));
    await this.#pendingRequest;
  }

  async #load(): Promise<void> {
    const fetchedAt = this.#now();
    const changed = await this.#fetch(this.#current?.etag);
    if (changed) this.#current = { ...changed, fetchedAt };
    else if (this.#current) this.#current.fetchedAt = fetchedAt;
  }
}
