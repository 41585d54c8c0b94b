import type { Hono } from 'hono';
import { cors } from 'hono/cors';
import { createMiddleware } from 'hono/factory';
import { carry } from './answer-headers.ts';
import type { Env } from './env.ts';

/** Browsers repeat a preflight after a day at the most; Chrome after two hours. */
const PREFLIGHT_SECONDS = 86_400;

const READABLE = ['Request-Id', 'Retry-After', 'RateLimit', 'RateLimit-Policy', 'Time-Zone'];

const OPEN = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': READABLE.join(),
};

/**
 * Preflights are the library's. What follows them needs two headers that never change; the library
 * would put them on an answer of its own, and have every real answer read and built once more.
 */
const policy = (method: 'GET' | 'POST', ...allowHeaders: string[]) => {
  const preflight = cors({
    origin: '*',
    allowMethods: [method],
    allowHeaders: ['Authorization', ...allowHeaders],
    exposeHeaders: READABLE,
    maxAge: PREFLIGHT_SECONDS,
  });
  return createMiddleware<Env>(async (c, next) => {
    if (c.req.method === 'OPTIONS') return await preflight(c, next);
    carry(c, OPEN);
    await next();
  });
};

/**
 * Opens to browsers what a session token can do, and nothing else.
 *
 * Any origin, for the token alone says who may ask; never with cookies, for there are none. What
 * needs an API key stays closed: a key has no business in a browser.
 */
export function browsersMayCall(api: Hono<Env>): void {
  const read = policy('GET');
  for (const path of ['/donations/*', '/donors/*', '/payouts/*', '/embed-sessions/current']) {
    api.use(path, read);
  }
  api.use('/live', policy('GET', 'Last-Event-ID'));
  api.use('/payment-intents/:payment_intent_id', read);
  api.use('/payment-intents', policy('POST', 'Content-Type', 'Idempotency-Key'));
}
