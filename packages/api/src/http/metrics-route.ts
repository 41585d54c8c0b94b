import { requireMetricsToken } from '@connect-embed/contract/hono';
import { Hono } from 'hono';
import type { Env, BaseDeps } from './env.ts';

/**
 * `GET /metrics` for Prometheus, with the bearer token `METRICS_TOKEN`. Without `METRICS_TOKEN` the
 * route does not exist.
 */
export const metrics = ({ metrics: { register }, metricsToken }: BaseDeps) => {
  const app = new Hono<Env>();
  if (metricsToken === undefined) return app;
  return app.get('/', requireMetricsToken(metricsToken), async (c) =>
    c.body(await register.metrics(), 200, { 'Content-Type': register.contentType }),
  );
};
