import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import { accepts } from 'hono/accepts';
import { createMiddleware } from 'hono/factory';
import type { Env } from './env.ts';

/** Minimum size of a compressed body. A smaller one fits into one packet anyway. */
const MIN_BYTES = 1_000;
const compress = promisify(gzip);

/**
 * Compresses JSON for clients that accept gzip. The fastest level takes 0.1 ms for a page of a list and makes it a
 * quarter of its size; higher levels save little more.
 *
 * Runs outside of the middleware that masks fields, which reads the body. The API reads no cookies, so
 * another page cannot request a response whose length would reveal a secret in it.
 */
export const compressJson = createMiddleware<Env>(async (c, next) => {
  await next();
  const isJson = c.res.headers.get('content-type')?.startsWith('application/json');
  if (c.req.method !== 'GET' || !c.res.ok || !isJson) return;
  if (!accepts(c, { header: 'Accept-Encoding', supports: ['gzip'], default: '' })) return;
  const body = Buffer.from(await c.res.arrayBuffer());
  if (body.length < MIN_BYTES) {
    c.res = new Response(body, c.res);
    return;
  }
  const compressed = await compress(body, { level: constants.Z_BEST_SPEED });
  c.res = new Response(compressed, c.res);
  c.res.headers.set('Content-Encoding', 'gzip');
});
