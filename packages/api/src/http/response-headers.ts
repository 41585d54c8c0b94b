import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import type { Context } from 'hono';
import { accepts } from 'hono/accepts';
import { createMiddleware } from 'hono/factory';
import type { Env } from './env.ts';

/** Responses that already contain the collected headers. */
const completeResponses = new WeakSet<Response>();

/**
 * Collects headers for the response. A header that the handler sets itself takes precedence.
 *
 * The headers are collected in a plain object, because setting fourteen headers of a page one by one
 * in `Headers` takes as long as authenticating the request.
 */
export function setResponseHeaders(
  c: Context<Env>,
  headers: Readonly<Record<string, string>>,
): void {
  c.set('pendingHeaders', { ...c.get('pendingHeaders'), ...headers });
}

/** Adds the collected headers to the response, except those it already has. */
export const applyResponseHeaders = createMiddleware<Env>(async (c, next) => {
  await next();
  if (completeResponses.has(c.res)) return;
  const { headers } = c.res;
  for (const [name, value] of Object.entries(c.get('pendingHeaders') ?? {})) {
    if (!headers.has(name)) headers.set(name, value);
  }
});

/** Minimum length of a text that is compressed. A shorter one fits into one packet anyway. */
const MIN_COMPRESSED_LENGTH = 1_000;
const compress = promisify(gzip);

/**
 * Creates a response from JSON text, compressed if the client accepts gzip. The fastest level takes 0.1 ms
 * for a page of a list and makes it a quarter of its size; higher levels save little more.
 */
export async function respondWithJson(c: Context<Env>, json: string): Promise<Response> {
  const headers: Record<string, string> = {
    ...c.get('pendingHeaders'),
    'Request-Id': c.get('requestId'),
    'Content-Type': 'application/json',
  };
  let body: string | Buffer<ArrayBuffer> = json;
  if (json.length >= MIN_COMPRESSED_LENGTH && acceptsGzip(c)) {
    body = await compress(json, { level: constants.Z_BEST_SPEED });
    headers['Content-Encoding'] = 'gzip';
  }
  const response = new Response(body, { headers });
  completeResponses.add(response);
  return response;
}

const acceptsGzip = (c: Context<Env>): boolean =>
  accepts(c, { header: 'Accept-Encoding', supports: ['gzip'], default: '' }) === 'gzip';
