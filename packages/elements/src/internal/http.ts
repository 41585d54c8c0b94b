import { ConnectError } from '@connect-embed/contract/error';

/** One attempt may take this long: a phone on a poor line, not a server that hangs. */
const TIMEOUT_MS = 15_000;

export interface Call {
  /** Types of response other than JSON alone. */
  accept?: string | undefined;
  /** JSON text; its presence makes the call a POST. */
  body?: string | undefined;
  token?: string | undefined;
  idempotencyKey?: string | undefined;
  /** Of work done: `challenge.ts`. */
  proof?: string | undefined;
  signal?: AbortSignal | undefined;
  /** Told what stands above a good answer. */
  onHeaders?: (headers: Headers) => void;
}

/**
 * Calls the server or the API, and answers with the JSON they send.
 *
 * @throws {ConnectError} theirs, or `unavailable` when there is no answer of theirs
 * @throws the reason of `signal` when the caller gave up
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
    throw new ConnectError('unavailable', `${url} answered ${response.status}.`, { cause });
  });
  throw await parseErrorResponse(response);
}

function request({ accept, body, token, idempotencyKey, proof, signal }: Call): RequestInit {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  return {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      accept: accept ?? 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
      ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
      ...(proof && { proof }),
    },
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    ...(body !== undefined && { body }),
  };
}
