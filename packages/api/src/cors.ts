import type { Hono } from 'hono';
import { cors } from 'hono/cors';
import { createMiddleware } from 'hono/factory';
import { setResponseHeaders } from './response-headers.ts';
import type { Env } from './env.ts';

/** Browsers repeat a preflight after a day at the most; Chrome after two hours. */
const PREFLIGHT_SECONDS = 86_400;

const EXPOSED_HEADERS = ['Request-Id', 'Retry-After', 'RateLimit', 'RateLimit-Policy', 'Time-Zone'];

const CORS_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': EXPOSED_HEADERS.join(),
};

/**
 * Preflights are the library's. What follows them needs two headers that never change; the library
 * would put them on an answer of its own, and have every real answer read and built once more.
 */
const corsPolicy = (method: 'GET' | 'POST', ...allowHeaders: string[]) => {
  const preflight = cors({
    origin: '*',
    allowMethods: [method],
    allowHeaders: ['Authorization', ...allowHeaders],
    exposeHeaders: EXPOSED_HEADERS,
    maxAge: PREFLIGHT_SECONDS,
  });
  return createMiddleware<Env>(async (c, next) => {
    if (c.req.method === 'OPTIONS') return await preflight(c, next);
    setResponseHeaders(c, CORS_HEADERS);
    await next();
  });
};

/**
 * Opens to browsers what a session token can do, and nothing else.
 *
 * Any origin, for the token alone says who may ask; never with cookies, for there are none. What
 * needs an API key stays closed: a key has no business in a browser.
 */
export function enableCors(api: Hono<Env>): void {
  const read = corsPolicy('GET');
  for (const path of ['/donations/*', '/donors/*', '/payouts/*', '/embed-sessions/current']) {
    api.use(path, read);
  }
  api.use('/live', corsPolicy('GET', 'Last-Event-ID'));
  api.use('/payment-intents/:payment_intent_id', read);
  api.use('/payment-intents', corsPolicy('POST', 'Content-Type', 'Idempotency-Key'));
}
