import { Hono } from 'hono';
import type { Deps } from '../deps.ts';

/**
 * `GET /healthz`: 200 while this process runs. The other fields tell a plugin that it has found a Connect
 * server, and of which release.
 */
export const healthzRoute = ({ config: { version } }: Pick<Deps, 'config'>) =>
  new Hono().get('/', (c) =>
    c.json({ status: 'ok', service: 'connect-embed-server', version: version ?? null }),
  );

/**
 * `GET /readyz`: whether donations are possible now. The configuration was validated at start, so
 * only the API is checked, at most once per interval.
 */
export const readyzRoute = ({ upstream, config: { now } }: Deps) => {
  let lastPing: { at: number; result: Promise<void> } | undefined;
  return new Hono().get('/', async (c) => {
    if (!lastPing || now() - lastPing.at > PING_INTERVAL_MS)
      lastPing = { at: now(), result: upstream.ping() };
    await lastPing.result;
    return c.json({ status: 'ready' });
  });
};

/** Each load balancer sends a probe every few seconds. */
const PING_INTERVAL_MS = 1000;
