import { ConnectError, type ConnectErrorArguments } from './error.ts';
import type { ErrorEnvelope } from './error-envelope.ts';
import { ERROR_STATUS } from './error-status.ts';

export type HttpMethod = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/**
 * Decides whether a failed call is repeated.
 *
 * @param attempts number of attempts so far, at least 1
 * @returns milliseconds to wait before the next attempt; undefined if the error is final
 */
export type RetryDelay = (
  error: ConnectError,
  call: { method: HttpMethod; attempts: number },
) => number | undefined;

/** The options of a request that the client uses. */
export interface ClientRequest {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  signal?: AbortSignal;
  redirect?: 'error';
}

/** The part of `Headers` that the client and its callers read. */
export type ResponseHeaders = Pick<Headers, 'get' | 'has'>;

/** The part of `Response` that the client reads. */
export type ClientResponse = Pick<Response, 'ok' | 'status' | 'text' | 'json' | 'arrayBuffer'> & {
  headers: ResponseHeaders;
  /** Absent if the whole body has been received. */
  body?: Response['body'];
};

/** A web-standard `fetch`, or a faster one that supports only what the client uses. */
export type ClientFetch = (url: string, init: ClientRequest) => Promise<ClientResponse>;

export interface TransportOptions {
  /** `{base_url}/api/v1` */
  apiBase: string;
  /** API key, access token or session token. */
  token: string;
  /** A web-standard fetch; a server can pass a faster implementation. */
  fetch?: ClientFetch;
  /** Timeout of one attempt. */
  timeoutMs?: number;
  /** Longest total wait for retries of a call, after which the client throws the error. */
  maxRetryWaitMs?: number;
  /** When a failed call is repeated; by default after a 429 only. */
  retryDelayMs?: RetryDelay;
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
  onHeaders?: ((headers: ResponseHeaders) => void) | undefined;
  /** Additional request headers, such as the one of `donor-context.ts`. */
  headers?: Record<string, string> | undefined;
}

/** Response to `If-None-Match`; it has no body. */
const NOT_MODIFIED = 304;
const TIMEOUT_MS = 10_000;
const MAX_RETRY_WAIT_MS = 30_000;

/** Sends requests to the Connect API: see {@link createTransport}. */
export type Transport = <Result>(
  method: HttpMethod,
  path: string,
  body?: unknown,
  options?: CallOptions,
) => Promise<Result>;

/**
 * Creates the function with which every client calls the API. It throws a {@link ConnectError}: the
 * API's own, or `unavailable` if the API cannot be reached, exceeds the timeout, or returns an
 * unknown body. The one exception: if the caller's `signal` aborts a call, it throws the reason of
 * the signal.
 */
export function createTransport(options: TransportOptions): Transport {
  const {
    token: defaultToken,
    fetch: send = (url, init) => fetch(url, init),
    timeoutMs = TIMEOUT_MS,
    maxRetryWaitMs = MAX_RETRY_WAIT_MS,
    sleep: wait = sleep,
    retryDelayMs = delayOfRateLimit,
  } = options;
  const apiBase = options.apiBase.replace(/\/+$/, '');

  async function attempt(method: string, path: string, body: unknown, call: CallOptions) {
    const { signal: aborted, idempotencyKey, token = defaultToken, onHeaders } = call;
    // Not `AbortSignal.timeout`, whose timer nothing clears: it took a seventh of the server's own time for a donation.
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(), timeoutMs);
    const signal = aborted ? AbortSignal.any([aborted, timeout.signal]) : timeout.signal;
    const headers: Record<string, string> = {
      ...call.headers,
      accept: 'application/json',
      authorization: `Bearer ${token}`,
    };
    if (body !== undefined) headers['content-type'] = 'application/json';
    if (idempotencyKey) headers['idempotency-key'] = idempotencyKey;
    const bodyInit = body !== undefined && { body: JSON.stringify(body) };
    try {
      const response = await send(apiBase + path, { method, headers, signal, ...bodyInit });
      onHeaders?.(response.headers);
      if (response.status === NOT_MODIFIED) return undefined;
      if (!response.ok) throw await parseErrorResponse(response);
      const text = await response.text();
      return response.headers.get('content-type')?.startsWith('text/csv') ? text : parseJson(text);
    } catch (cause) {
      aborted?.throwIfAborted();
      if (cause instanceof ConnectError) throw cause;
      const failure = timeout.signal.aborted
        ? `did not respond within ${timeoutMs} ms`
        : 'cannot be reached';
      throw new ConnectError('unavailable', `The Connect API ${failure}.`, { cause });
    } finally {
      clearTimeout(timer);
    }
  }

  return async <Result>(
    method: HttpMethod,
    path: string,
    body?: unknown,
    call: CallOptions = {},
  ): Promise<Result> => {
    let remainingWaitMs = maxRetryWaitMs;
    for (let attempts = 1; ; attempts += 1) {
      try {
        return (await attempt(method, path, body, call)) as Result;
      } catch (error) {
        if (!(error instanceof ConnectError)) throw error;
        const waitMs = retryDelayMs(error, { method, attempts });
        if (waitMs === undefined || waitMs > remainingWaitMs) throw error;
        remainingWaitMs -= waitMs;
        await wait(waitMs, call.signal);
      }
    }
  };
}

/** At least 1 s: `Retry-After: 0` must not cause a loop without a pause. */
export const delayOfRateLimit = ({ type, retryAfterSeconds = 1 }: ConnectError) =>
  type === 'rate_limited' ? Math.max(1, retryAfterSeconds) * 1000 : undefined;

/** Writes a query as `?limit=5`, or as an empty text if it has no values. */
export function formatQuery(query: object): string {
  const params = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined) params.set(key, String(value));
  }
  return params.size ? `?${params}` : '';
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
export async function parseErrorResponse(response: ClientResponse): Promise<ConnectError> {
  const body = (await response.json().catch(() => undefined)) as Partial<ErrorEnvelope> | undefined;
  const retryAfterSeconds = parseRetryAfter(response.headers.get('retry-after'));
  const {
    type,
    code,
    message,
    param,
    queue_position: queuePosition,
    request_id: requestId,
    doc_url: docUrl,
  } = body?.error ?? {};
  if (type && Object.hasOwn(ERROR_STATUS, type)) {
    const received = { param, retryAfterSeconds, queuePosition, requestId, docUrl };
    const options = { code: code ?? type, ...received };
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
