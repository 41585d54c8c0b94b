import { timingSafeEqual } from 'node:crypto';
import { ConnectError } from '@connect-embed/contract';
import { Hono } from 'hono';
import type { Env, BaseDeps } from './env.ts';
import { hashToken } from '../lib/id.ts';

/**
 * `GET /metrics` for Prometheus, with the token of `METRICS_TOKEN`.
 *
 * Without `METRICS_TOKEN` the route does not exist. Network addresses cannot protect it: behind a
 * proxy all requests come from the same machine.
 */
export const metrics = ({ metrics, metricsToken }: BaseDeps) => {
  const app = new Hono<Env>();
  if (metricsToken === undefined) return app;
  const expected = hashToken(metricsToken);
  return app.get('/', async (c) => {
    const token = /^Bearer (.+)$/.exec(c.req.header('authorization') ?? '')?.[1] ?? '';
    if (!timingSafeEqual(hashToken(token), expected)) {
      throw new ConnectError('unauthorized', 'Authorization: Bearer <METRICS_TOKEN> is missing.', {
        code: 'credential_missing',
      });
    }
    return c.body(await metrics.text(), 200, { 'Content-Type': metrics.contentType });
  });
};
