import type { CallOptions, HttpMethod, Transport } from '@connect-embed/contract/transport';

/** Options of every method. */
export type RequestOptions = Pick<CallOptions, 'signal' | 'idempotencyKey' | 'token'>;

/** Sends one request to the API and returns the body of its response. */
export type Call = <Result>(
  method: HttpMethod,
  path: string,
  body?: unknown,
  options?: RequestOptions,
) => Promise<Result>;

/**
 * Gives every POST an idempotency key, so that it can be repeated after a lost response: the API
 * performs it once (docs/decisions/0009-idempotency.md).
 */
export const withIdempotencyKeys =
  (transport: Transport): Call =>
  (method, path, body, options = {}) =>
    transport(
      method,
      path,
      body,
      method === 'POST'
        ? { ...options, idempotencyKey: options.idempotencyKey ?? newKey() }
        : options,
    );

/** Not `randomUUID`, which browsers lack on pages without https. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Builds a path from ids, which may contain any character. */
export const path = (strings: TemplateStringsArray, ...ids: string[]) =>
  String.raw({ raw: strings }, ...ids.map(encodeURIComponent));
