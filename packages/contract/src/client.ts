import type { AllowedSite, AllowedSiteRequest, CreateAllowedSiteRequest } from './allowed-site.ts';
import type { Campaign, CampaignProgress } from './campaign.ts';
import type { CheckoutSession, CreateCheckoutSession } from './checkout-session.ts';
import type { ComponentSession, CreateComponentSession } from './component-session.ts';
import type { Donation } from './donation.ts';
import type { Donor } from './donor.ts';
import type { CreateEmbedSession, EmbedForm, EmbedSession } from './embed-session.ts';
import { ConnectError, type ConnectErrorArguments, type ErrorEnvelope } from './error.ts';
import { ERROR_STATUS } from './error-status.ts';
import type { FundraisingEvent } from './event.ts';
import type { Form } from './form.ts';
import type { Fund } from './fund.ts';
import type { List } from './list.ts';
import type { Organization } from './organization.ts';
import type { CreatePaymentIntent, PaymentIntent, PaymentIntentStatus } from './payment-intent.ts';
import type { Payout } from './payout.ts';
import type { RecurringPlan } from './recurring-plan.ts';
import type { Registration } from './registration.ts';

/** Path and resource of each list whose resources can be retrieved by id. */
interface RetrievableResources {
  donations: Donation;
  'recurring-plans': RecurringPlan;
  donors: Donor;
  payouts: Payout;
  events: FundraisingEvent;
  forms: Form;
}

/** Path and resource of each list that the client can page through. */
interface ListedResources extends RetrievableResources {
  'allowed-sites': AllowedSite;
  campaigns: Campaign;
  funds: Fund;
  [registrations: `events/${string}/registrations`]: Registration;
}

export interface ConnectClientOptions {
  /** `{base_url}/api/v1` */
  apiBase: string;
  /** API key, access token or session token. */
  token: string;
  /** A web-standard fetch; a server can pass a faster implementation. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Timeout of one attempt. */
  timeoutMs?: number;
  /** Longest total wait for `Retry-After`, after which the client throws the 429. */
  maxRetryWaitMs?: number;
  /** Waits between attempts; replaced in tests. */
  sleep?: (ms: number, signal?: AbortSignal) => Promise<void>;
}

export interface CallOptions {
  signal?: AbortSignal | undefined;
  /** Makes a repeated POST safe: docs/decisions/0009-idempotency.md */
  idempotencyKey?: string | undefined;
  /** Bearer token of this call; replaces the client's own. */
  token?: string | undefined;
  /** Receives the headers of every response, such as those of `donor-context.ts`. */
  onHeaders?: ((headers: Headers) => void) | undefined;
  /** Additional request headers, such as the one of `donor-context.ts`. */
  headers?: Record<string, string> | undefined;
}

export interface ListOptions extends CallOptions {
  limit?: number | undefined;
  cursor?: string | undefined;
  updated_since?: string | undefined;
  /** Filter of events: true returns published events only, false drafts only. */
  published?: boolean | undefined;
  /** Filter of events: returns only events that start now or later. */
  upcoming?: true | undefined;
  /** Filter of registrations. */
  status?: Registration['status'] | undefined;
}

/** Response to `If-None-Match`; it has no body. */
const NOT_MODIFIED = 304;
const TIMEOUT_MS = 10_000;
const MAX_RETRY_WAIT_MS = 30_000;

/**
 * A typed client of the Connect API.
 *
 * Every method throws a {@link ConnectError}: the API's own, or `unavailable` if the API cannot be
 * reached, exceeds the timeout, or returns an unknown body. The one exception: if the caller's
 * `signal` aborts a call, the call throws the reason of the signal.
 */
export class ConnectClient {
  readonly #options: Required<ConnectClientOptions>;

  constructor(options: ConnectClientOptions) {
    this.#options = {
      fetch: (url, init) => fetch(url, init),
      timeoutMs: TIMEOUT_MS,
      maxRetryWaitMs: MAX_RETRY_WAIT_MS,
      sleep,
      ...options,
      apiBase: options.apiBase.replace(/\/+$/, ''),
    };
  }

  /** Loads one page of a list, such as `events/{id}/registrations` (spec: Read endpoints). */
  list<Name extends keyof ListedResources>(name: Name, options: ListOptions = {}) {
    const { signal, idempotencyKey, token, onHeaders, headers, ...query } = options;
    const params = new URLSearchParams();
    for (const [key, value] of Object.entries(query)) {
      if (value !== undefined) params.set(key, String(value));
    }
    const search = params.size ? `?${params}` : '';
    const call = { signal, idempotencyKey, token, onHeaders, headers };
    return this.#call<List<ListedResources[Name]>>('GET', `/${name}${search}`, undefined, call);
  }

  /**
   * Loads the first page of a list, unless it still has this entity tag.
   *
   * @returns the page with its entity tag; undefined if it has not changed
   */
  async listIfChanged<Name extends keyof ListedResources>(
    name: Name,
    etag: string | undefined,
    options: ListOptions = {},
  ) {
    let newTag: string | undefined;
    const page: List<ListedResources[Name]> | undefined = await this.list(name, {
      ...options,
      ...(etag !== undefined && { headers: { 'if-none-match': etag } }),
      onHeaders: (headers) => (newTag = headers.get('etag') ?? undefined),
    });
    return page && { ...page, etag: newTag };
  }

  /** Iterates over all resources of a list; loads the next page only when the caller needs it. */
  async *all<Name extends keyof ListedResources>(
    name: Name,
    options: ListOptions = {},
  ): AsyncGenerator<ListedResources[Name], void, undefined> {
    let cursor = options.cursor;
    do {
      const page = await this.list(name, { ...options, cursor });
      yield* page.data;
      cursor = page.has_more && page.next_cursor !== null ? page.next_cursor : undefined;
    } while (cursor !== undefined);
  }

  /** Loads one resource by its id. @throws {ConnectError} `not_found` */
  get<Name extends keyof RetrievableResources>(name: Name, id: string, options?: CallOptions) {
    const path = `/${name}/${encodeURIComponent(id)}`;
    return this.#call<RetrievableResources[Name]>('GET', path, undefined, options);
  }

  /** Loads the amount that a campaign has raised. @throws {ConnectError} `not_found` */
  getCampaignProgress(id: string, options?: CallOptions) {
    const path = `/campaigns/${encodeURIComponent(id)}/progress`;
    return this.#call<CampaignProgress>('GET', path, undefined, options);
  }

  /** Loads the organization of the token, unless it still has this entity tag, as `listIfChanged`. */
  async getOrganizationIfChanged(etag: string | undefined) {
    let newTag: string | undefined;
    const organization: Organization | undefined = await this.getOrganization({
      ...(etag !== undefined && { headers: { 'if-none-match': etag } }),
      onHeaders: (headers) => (newTag = headers.get('etag') ?? undefined),
    });
    return organization && { organization, etag: newTag };
  }

  /** Loads the organization of the token. */
  getOrganization(options?: CallOptions) {
    return this.#call<Organization>('GET', '/organization', undefined, options);
  }

  /**
   * Creates a payment intent. Card data goes from the browser to Stripe, never through here (spec:
   * Collect).
   */
  createPaymentIntent(donation: CreatePaymentIntent, options?: CallOptions) {
    return this.#call<PaymentIntent>('POST', '/payment-intents', donation, options);
  }

  /** Creates a session of Stripe Checkout, the payment page for donors without JavaScript. */
  createCheckoutSession(donation: CreateCheckoutSession, options?: CallOptions) {
    return this.#call<CheckoutSession>('POST', '/checkout-sessions', donation, options);
  }

  /** Loads a session of Stripe Checkout, with its present status. @throws {ConnectError} `not_found` */
  getCheckoutSession(id: string, options?: CallOptions) {
    const path = `/checkout-sessions/${encodeURIComponent(id)}`;
    return this.#call<CheckoutSession>('GET', path, undefined, options);
  }

  /** Loads the status of a payment intent of this credential. @throws {ConnectError} `not_found` */
  getPaymentIntentStatus(id: string, options?: CallOptions) {
    const path = `/payment-intents/${encodeURIComponent(id)}`;
    return this.#call<PaymentIntentStatus>('GET', path, undefined, options);
  }

  /** Creates a one-hour session for a form with fixed terms (spec: Write endpoints). */
  createEmbedSession(terms: CreateEmbedSession = {}, options?: CallOptions) {
    return this.#call<EmbedSession>('POST', '/embed-sessions', terms, options);
  }

  /**
   * Loads the data of an embed session's form. The call is authorized by the session's own token.
   */
  getEmbedForm(sessionToken: string, options?: CallOptions) {
    const call = { ...options, token: sessionToken };
    return this.#call<EmbedForm>('GET', '/embed-sessions/current', undefined, call);
  }

  /** Requests that an owner allows a website to show the organization's forms. */
  createAllowedSiteRequest(request: CreateAllowedSiteRequest, options?: CallOptions) {
    return this.#call<AllowedSiteRequest>('POST', '/allowed-site-requests', request, options);
  }

  /** Creates a one-hour read-only session for browsers (spec: Write endpoints). */
  createComponentSession(request: CreateComponentSession, options?: CallOptions) {
    return this.#call<ComponentSession>('POST', '/component-sessions', request, options);
  }

  /** Sends a request, and repeats it after a 429 as long as the total wait allows. */
  async #call<Result>(
    method: 'GET' | 'POST',
    path: string,
    body?: unknown,
    options: CallOptions = {},
  ): Promise<Result> {
    let remainingWaitMs = this.#options.maxRetryWaitMs;
    for (;;) {
      try {
        return await this.#attempt<Result>(method, path, body, options);
      } catch (error) {
        if (!(error instanceof ConnectError) || error.type !== 'rate_limited') throw error;
        // Wait at least 1 s: `Retry-After: 0` must not cause a loop without a pause.
        const waitMs = Math.max(1, error.retryAfterSeconds ?? 1) * 1000;
        if (waitMs > remainingWaitMs) throw error;
        remainingWaitMs -= waitMs;
        await this.#options.sleep(waitMs, options.signal);
      }
    }
  }

  async #attempt<Result>(
    method: string,
    path: string,
    body: unknown,
    options: CallOptions,
  ): Promise<Result> {
    const { apiBase, timeoutMs } = this.#options;
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout;
    const headers = this.#headers(body, options);
    const bodyInit = body !== undefined && { body: JSON.stringify(body) };
    try {
      const init = { method, headers, signal, ...bodyInit };
      const response = await this.#options.fetch(apiBase + path, init);
      options.onHeaders?.(response.headers);
      if (response.status === NOT_MODIFIED) return undefined as Result;
      if (!response.ok) throw await parseErrorResponse(response);
      return parseJson(await response.text()) as Result;
    } catch (cause) {
      options.signal?.throwIfAborted();
      if (cause instanceof ConnectError) throw cause;
      const failure = timeout.aborted
        ? `did not respond within ${timeoutMs} ms`
        : 'cannot be reached';
      throw new ConnectError('unavailable', `The Connect API ${failure}.`, { cause });
    }
  }

  #headers(body: unknown, options: CallOptions): Headers {
    const headers = new Headers({
      ...options.headers,
      accept: 'application/json',
      authorization: `Bearer ${options.token ?? this.#options.token}`,
    });
    if (body !== undefined) headers.set('content-type', 'application/json');
    if (options.idempotencyKey) headers.set('idempotency-key', options.idempotencyKey);
    return headers;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const message = 'The Connect API returned a response that is not JSON.';
    throw new ConnectError('unavailable', message, { code: 'response_not_api', cause });
  }
}

/**
 * Converts a response outside 2xx to the error in its body, or to one for its status if something
 * else responded, such as a proxy.
 */
export async function parseErrorResponse(response: Response): Promise<ConnectError> {
  const body = (await response.json().catch(() => undefined)) as Partial<ErrorEnvelope> | undefined;
  const retryAfterSeconds = parseRetryAfter(response.headers.get('retry-after'));
  const { type, code, message, param, request_id: requestId, doc_url: docUrl } = body?.error ?? {};
  if (type && Object.hasOwn(ERROR_STATUS, type)) {
    const options = { code: code ?? type, param, retryAfterSeconds, requestId, docUrl };
    return new ConnectError(...([type, String(message ?? ''), options] as ConnectErrorArguments));
  }
  const plain = `The Connect API responded ${response.status}.`;
  if (response.status === 404) {
    return new ConnectError('unavailable', plain, { code: 'server_not_found' });
  }
  return response.status === 429
    ? new ConnectError('rate_limited', plain, { retryAfterSeconds })
    : new ConnectError('unavailable', plain, { code: 'response_not_api', retryAfterSeconds });
}

/** Parses a `Retry-After` in seconds or as a date (RFC 9110, 10.2.3). @returns seconds */
function parseRetryAfter(header: string | null): number | undefined {
  if (header === null) return undefined;
  if (/^\d+$/.test(header.trim())) return Number(header);
  const retryAtMs = Date.parse(header);
  return Number.isNaN(retryAtMs)
    ? undefined
    : Math.max(0, Math.ceil((retryAtMs - Date.now()) / 1000));
}

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason as Error);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
