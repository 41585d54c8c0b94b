import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { accepts } from 'hono/accepts';
import { createMiddleware } from 'hono/factory';
import type { Env } from './env.ts';

/** Minimum size of a compressed body. A smaller one fits into one packet anyway. */
const MIN_BYTES = 1_000;

const BROTLI_PARAMS = {
  [constants.BROTLI_PARAM_QUALITY]: 5,
  [constants.BROTLI_PARAM_LGWIN]: 16, // A page of a list is smaller than this window of 64 kB.
};

const [brotliAsync, gzipAsync] = [promisify(brotliCompress), promisify(gzip)];

/** The codings, the preferred one first. */
const COMPRESSORS: Record<string, (body: Buffer) => Promise<Buffer<ArrayBuffer>>> = {
  br: (body) => brotliAsync(body, { params: BROTLI_PARAMS }),
  gzip: (body) => gzipAsync(body, { level: constants.Z_BEST_SPEED }),
};

/**
 * Compresses JSON for clients that accept Brotli or gzip. Brotli makes a page of a list 18 % of its size in
 * 0.15 ms; the fastest level of gzip makes it 21 % in half of that time.
 *
 * Runs outside of the middleware that masks fields, which reads the body. The API reads no cookies, so
 * another page cannot request a response whose length would reveal a secret in it.
 */
export const compressJson = createMiddleware<Env>(async (c, next) => {
  await next();
  const isJson = c.res.headers.get('content-type')?.startsWith('application/json');
  if (c.req.method !== 'GET' || !c.res.ok || !isJson) return;
  // Browsers list all codings with the same weight.
  const coding = Object.keys(COMPRESSORS).find(
    (name) => accepts(c, { header: 'Accept-Encoding', supports: [name], default: '' }) === name,
  );
  if (!coding) return;
  const body = Buffer.from(await c.res.arrayBuffer());
  if (body.length < MIN_BYTES) {
    c.res = new Response(body, c.res);
    return;
  }
  c.res = new Response(await COMPRESSORS[coding]!(body), c.res);
  c.res.headers.set('Content-Encoding', coding);
});
