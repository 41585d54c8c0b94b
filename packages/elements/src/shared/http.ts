import { ConnectError } from '@connect-embed/contract/error';

/** Timeout of one request. Long enough for a phone with a slow connection. */
const TIMEOUT_MS = 15_000;

export interface Call {
  /** JSON text; its presence makes the call a POST. */
  body?: string | undefined;
  token?: string | undefined;
  /** Further headers, with names in lower case. */
  headers?: Record<string, string>;
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
export async function call<Body>(url: string, options: Call = {}): Promise<Body> {
  const { signal } = options;
  let response: Response;
  try {
    response = await fetch(url, request(options));
    if (response.ok) {
      options.onHeaders?.(response.headers);
      return (await response.json()) as Body;
    }
  } catch (cause) {
    signal?.throwIfAborted();
    throw new ConnectError('unavailable', `${new URL(url).origin} cannot be reached.`, { cause });
  }
  const { parseErrorResponse } = await import('./read-error.ts').catch((cause: unknown) => {
    throw new ConnectError('unavailable', `${url}: HTTP ${response.status}.`, { cause });
  });
  throw await parseErrorResponse(response);
}

function request({ body, headers, token, signal }: Call): RequestInit {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  return {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    ...(body !== undefined && { body }),
  };
}
