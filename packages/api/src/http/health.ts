import { Hono } from 'hono';
import type { Env, BaseDeps, ReadyStatus } from './env.ts';

/** Time for which the result of a check is cached, because anyone can request `/readyz`. */
const CHECK_INTERVAL_MS = 2_000;

/**
 * Health checks. `GET /healthz` responds 200 while the process runs. `GET /readyz` responds 200 while
 * donations can be made and recorded: docs/decisions/0105-readiness-and-secrets.md
 */
export function health({ checkReady }: Pick<BaseDeps, 'checkReady'>) {
  let lastCheck: { at: number; result: Promise<ReadyStatus> } | undefined;
  return new Hono<Env>()
    .get('/healthz', (c) => c.json({ status: 'ok' }))
    .get('/readyz', async (c) => {
      const now = performance.now();
      if (!lastCheck || now - lastCheck.at > CHECK_INTERVAL_MS)
        lastCheck = { at: now, result: checkReady() };
      return c.json({ status: await lastCheck.result });
    });
}
