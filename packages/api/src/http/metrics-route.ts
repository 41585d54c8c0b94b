import { timingSafeEqual } from 'node:crypto';
import { ConnectError } from '@connect-embed/contract';
import { listSecrets } from '@connect-embed/contract/secrets';
import { Hono } from 'hono';
import type { Env, BaseDeps } from './env.ts';
import { hashToken } from '../lib/id.ts';

/**
 * `GET /metrics` for Prometheus, with the bearer token `METRICS_TOKEN`.
 *
 * Without `METRICS_TOKEN` the route does not exist. An allow-list of network addresses would not
 * protect the route, because behind a proxy all requests come from the same machine.
 */
export const metrics = ({ metrics, metricsToken }: BaseDeps) => {
  const app = new Hono<Env>();
  if (metricsToken === undefined) return app;
  const expectedHashes = listSecrets(metricsToken).map(hashToken);
  return app.get('/', async (c) => {
    const token = /^Bearer (.+)$/.exec(c.req.header('authorization') ?? '')?.[1] ?? '';
    const hash = hashToken(token);
    if (!expectedHashes.some((expected) => timingSafeEqual(hash, expected))) {
      throw new ConnectError('unauthorized', 'Authorization: Bearer <METRICS_TOKEN> is missing.', {
        code: 'credential_missing',
      });
    }
    return c.body(await metrics.text(), 200, { 'Content-Type': metrics.contentType });
  });
};
