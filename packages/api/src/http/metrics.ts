import type { MiddlewareHandler } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { Pool } from 'pg';
import { Gauge, Histogram, Registry } from 'prom-client';
import { handledRoute } from './handled-route.ts';

/** Buckets of the histogram: a list takes milliseconds, a request to the card processor up to seconds. */
const BUCKETS_SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** Prometheus metrics of a process. `startService` adds those of Node. */
export interface Metrics {
  /** Middleware that counts requests and measures their duration, by route pattern. */
  measure: MiddlewareHandler;
  /** Registry to which other modules add metrics. */
  register: Registry;
}

export function createMetrics(pool: Pool): Metrics {
  const register = new Registry();
  const requestDurations = new Histogram({
    name: 'connect_http_request_duration_seconds',
    help: 'Requests by method, route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS_SECONDS,
    registers: [register],
  });
  measurePool(pool, register);
  return {
    measure: createMiddleware(async (c, next) => {
      const stopTimer = requestDurations.startTimer();
      await next();
      stopTimer({
        method: METHODS.has(c.req.method) ? c.req.method : 'other',
        route: handledRoute(c),
        status: c.res.status,
      });
    }),
    register,
  };
}

/** Methods with a label value of their own. Clients can send any method, which would fill the memory. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS']);

function measurePool(pool: Pool, register: Registry): void {
  const connections = new Gauge({
    name: 'connect_database_connections',
    help: 'Database connections of this process, and requests waiting for one.',
    labelNames: ['state'],
    registers: [register],
    collect() {
      connections.set({ state: 'idle' }, pool.idleCount);
      connections.set({ state: 'in_use' }, pool.totalCount - pool.idleCount);
      connections.set({ state: 'waiting' }, pool.waitingCount);
    },
  });
}
