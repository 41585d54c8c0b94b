import { ConnectError } from '@connect-embed/contract/error';
import { importChunk } from './import-chunk.ts';

/** Timeout of one request. Long enough for a phone with a slow connection. */
const TIMEOUT_MS = 15_000;

export interface Call {
  /** By default `POST` with a body, and `GET` without one. */
  method?: 'GET' | 'POST';
  /** JSON text. */
  body?: string | undefined;
  token?: string | undefined;
  /** Further headers, with names in lower case. */
  headers?: Record<string, string>;
  cache?: RequestCache;
  signal?: AbortSignal | undefined;
  /** Called with the headers of a successful response. */
  onHeaders?: (headers: Headers) => void;
}

/**
 * Sends a request to the server (BFF) or the API and returns the JSON response.
 *
 * @throws {ConnectError} the error of the response, or `unavailable` without a response
 * @throws the reason of `signal` if the caller aborted the request
 */
export function call<Body>(url: string, options: Call = {}): Promise<Body> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout;
  return readJson(url, send(url, { ...options, signal }), options);
}

/**
 * Reads the JSON of a successful response.
 *
 * @throws {ConnectError} the error of the response, or `unavailable` without a response
 * @throws the reason of `signal` if the caller aborted the request
 */
export async function readJson<Body>(
  url: string,
  request: Promise<Response>,
  { signal, onHeaders }: Pick<Call, 'signal' | 'onHeaders'> = {},
): Promise<Body> {
  try {
    const response = await request;
    onHeaders?.(response.headers);
    return (await response.json()) as Body;
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof ConnectError) throw cause;
    throw new ConnectError(
      'unavailable',
      `${new URL(url, document.baseURI).origin} cannot be reached.`,
      { cause },
    );
  }
}

/**
 * Returns a successful response. The code that reads errors is loaded when it is needed, because few
 * responses are errors.
 *
 * @throws {ConnectError} the error of the response
 */
export async function requireSuccess(response: Response): Promise<Response> {
  if (response.ok) return response;
  const { parseErrorResponse } = await importChunk(() => import('@connect-embed/contract/client'));
  throw await parseErrorResponse(response);
}

/**
 * Sends a request without a timeout and returns the successful response.
 *
 * @throws {ConnectError} the error of the response
 */
export async function send(
  url: string,
  { method, body, headers, token, cache, signal }: Omit<Call, 'onHeaders'>,
): Promise<Response> {
  const response = await fetch(url, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    signal: signal ?? null,
    ...(body !== undefined && { body }),
    ...(cache && { cache }),
  });
  return requireSuccess(response);
}
