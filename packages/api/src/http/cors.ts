import type { Hono } from 'hono';
import { cors } from 'hono/cors';
import type { Env } from './env.ts';

/** Maximum cache time of a preflight response. Browsers use at most a day, Chrome at most two hours. */
const PREFLIGHT_SECONDS = 86_400;

const EXPOSED_HEADERS = [
  'Request-Id',
  'Retry-After',
  'RateLimit',
  'RateLimit-Policy',
  'Time-Zone',
  'Content-Disposition', // File name of an export.
];

const corsPolicy = (method: 'GET' | 'POST', ...allowHeaders: string[]) =>
  cors({
    origin: '*',
    allowMethods: [method],
    allowHeaders: ['Authorization', ...allowHeaders],
    exposeHeaders: EXPOSED_HEADERS,
    maxAge: PREFLIGHT_SECONDS,
  });

/**
 * Allows pages of any origin to call the routes that accept a session token.
 *
 * Any origin is safe, because access depends on the token alone and these routes use no cookies. Other
 * origins cannot call routes that need an API key, because a key must not be used in a browser.
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
