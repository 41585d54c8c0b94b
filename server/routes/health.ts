import { Hono } from 'hono';
import type { Deps } from '../env.ts';

/** `GET /healthz`: 200 while this process runs. */
export const healthz = () => new Hono().get('/', (c) => c.json({ status: 'ok' }));

/**
 * `GET /readyz`: whether donations are possible now. The configuration was validated at start, so
 * only the API is checked, at most once per interval.
 */
export const readyz = ({ upstream, now }: Deps) => {
  let lastPing: { at: number; result: Promise<void> } | undefined;
  return new Hono().get('/', async (c) => {
    if (!lastPing || now() - lastPing.at > PING_INTERVAL_MS)
      lastPing = { at: now(), result: upstream.ping() };
    await lastPing.result;
    return c.json({ status: 'ready' });
  });
};

/** Load balancers send a probe every few seconds each. */
const PING_INTERVAL_MS = 1000;
