import type { Hono } from 'hono';
import { cors } from 'hono/cors';
import type { Env } from './app.ts';

/** Browsers repeat a preflight after a day at the most; Chrome after two hours. */
const PREFLIGHT_SECONDS = 86_400;

const policy = (method: 'GET' | 'POST', ...allowHeaders: string[]) =>
  cors({
    origin: '*',
    allowMethods: [method],
    allowHeaders: ['Authorization', ...allowHeaders],
    exposeHeaders: ['Request-Id', 'Retry-After', 'RateLimit', 'RateLimit-Policy'],
    maxAge: PREFLIGHT_SECONDS,
  });

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
  api.use('/payment-intents', policy('POST', 'Content-Type', 'Idempotency-Key'));
}
