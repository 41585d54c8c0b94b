import { ConnectError, type Form } from '@connect-embed/contract';
import type { ResolvedConfig } from './connect-config.ts';
import { silentLog, type Log } from './log.ts';
import type { Upstream } from './upstream.ts';

/** Age at which a page view makes the list be fetched again, in the background. */
const REFRESH_AFTER_MS = 30_000;
/** Age above which a page view waits for the new list, so that a published form is shown within a minute. */
const MAX_AGE_MS = 60_000;
/** While the API is unavailable, at most one request in this interval calls the API. */
const RETRY_AFTER_FAILURE_MS = 2000;

interface FormList {
  forms: ReadonlyMap<string, Form>;
  etag: string | undefined;
}

/**
 * The forms that members edit in the dashboard, by slug: docs/decisions/0097-forms.md
 *
 * One list serves all page views: it costs at most two API requests a minute, independent of the number
 * of visitors and forms, and most of these requests are answered with 304.
 */
export class FormCatalog {
  readonly #upstream: Upstream;
  readonly #isAvailable: boolean;
  readonly #log: Log;
  readonly #now: () => number;
  #list: FormList = { forms: new Map(), etag: undefined };
  #fetchedAt = -Infinity;
  #failedAt = -Infinity;
  #pendingRequest: Promise<void> | undefined;

  constructor(config: ResolvedConfig, upstream: Upstream) {
    this.#upstream = upstream;
    // A platform has no credential of its own; its forms are in the configuration.
    this.#isAvailable = config.apiKey !== undefined;
    this.#log = config.log ?? silentLog;
    this.#now = config.now ?? Date.now;
  }

  /**
   * Finds a form that was published, live or closed.
   *
   * @throws {ConnectError} the API's error if the list was never fetched
   */
  async find(slug: string): Promise<Form | undefined> {
    if (!this.#isAvailable) return undefined;
    const ageMs = this.#now() - this.#fetchedAt;
    if (ageMs >= REFRESH_AFTER_MS) {
      const request = this.#refresh();
      if (ageMs >= MAX_AGE_MS) await request;
    }
    const form = this.#list.forms.get(slug);
    return form?.status === 'draft' ? undefined : form;
  }

  /** Fetches the list. Concurrent calls share one request. The old list is used if the API fails. */
  async #refresh(): Promise<void> {
    const hasList = this.#fetchedAt !== -Infinity;
    if (hasList && this.#now() - this.#failedAt < RETRY_AFTER_FAILURE_MS) return;
    this.#pendingRequest ??= this.#fetch().finally(() => (this.#pendingRequest = undefined));
    await this.#pendingRequest.catch((error: unknown) => {
      this.#failedAt = this.#now();
      if (!hasList) throw error;
    });
  }

  async #fetch(): Promise<void> {
    const requestedAt = this.#now();
    const { etag } = this.#list;
    const page = await this.#upstream
      .call((api) => api.listIfChanged('forms', etag, { limit: 100 }))
      .catch((error: unknown) => {
        if (!this.#hasNoForms(error)) throw error;
        return { data: [], has_more: false, next_cursor: null, etag: undefined };
      });
    if (page) {
      const { data, next_cursor: cursor } = page;
      const forms = cursor ? [...data, ...(await this.#listFrom(cursor))] : data;
      // The tag of the first page does not say whether a form of another page has changed.
      this.#list = {
        forms: new Map(forms.map((form) => [form.slug, form])),
        etag: cursor ? undefined : page.etag,
      };
    }
    this.#fetchedAt = requestedAt;
  }

  async #listFrom(cursor: string): Promise<Form[]> {
    return await this.#upstream.call(async (api) => {
      const forms: Form[] = [];
      for await (const form of api.all('forms', { cursor, limit: 100 })) forms.push(form);
      return forms;
    });
  }

  /** Whether the API has no forms for this server: an older API, or a credential without the scope. */
  #hasNoForms(error: unknown): boolean {
    const { type } = (
      error instanceof ConnectError && error.cause instanceof ConnectError ? error.cause : error
    ) as Partial<ConnectError>;
    if (type === 'insufficient_scope') {
      this.#log.warn(
        {},
        'the API key has no scope reference:read, so forms of the dashboard cannot be shown',
      );
    }
    return type === 'insufficient_scope' || type === 'not_found';
  }
}
