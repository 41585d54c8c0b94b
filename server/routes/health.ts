import { Hono } from 'hono';
import type { Deps } from '../app.ts';

/** `GET /healthz`: this process answers. */
export const healthz = () => new Hono().get('/', (c) => c.json({ status: 'ok' }));

/**
 * `GET /readyz`: a gift could be made now. The configuration was checked before anything listened,
 * so what is left to ask is the API, at most once in a while however many ask us.
 */
export const readyz = ({ upstream, now }: Deps) => {
  let last: { at: number; answer: Promise<void> } | undefined;
  return new Hono().get('/', async (c) => {
    if (!last || now() - last.at > PING_INTERVAL_MS) last = { at: now(), answer: upstream.ping() };
    await last.answer;
    return c.json({ status: 'ready' });
  });
};

/** Probes come every few seconds from every balancer. */
const PING_INTERVAL_MS = 1000;
