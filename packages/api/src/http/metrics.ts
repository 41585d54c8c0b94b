import type { MiddlewareHandler } from 'hono';
import { createMiddleware } from 'hono/factory';
import { matchedRoutes } from 'hono/route';
import type { Pool } from 'pg';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Buckets around the usual durations of a list (milliseconds) and of a request to the processor. */
const BUCKETS_SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** Prometheus metrics of this process. */
export interface Metrics {
  /** Counts and times each request by its route, not by its path, which contains ids. */
  measure: MiddlewareHandler;
  /** All metrics in Prometheus' text format. */
  text(): Promise<string>;
  contentType: string;
  /** Further metrics can be registered here. */
  register: Registry;
}

export function createMetrics(pool: Pool): Metrics {
  const register = new Registry();
  collectDefaultMetrics({ register });
  const requests = new Histogram({
    name: 'connect_http_request_duration_seconds',
    help: 'Requests by method, route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS_SECONDS,
    registers: [register],
  });
  measurePool(pool, register);
  return {
    measure: createMiddleware(async (c, next) => {
      const end = requests.startTimer();
      await next();
      const route = matchedRoutes(c).findLast(({ method }) => method !== 'ALL');
      end({
        method: METHODS.has(c.req.method) ? c.req.method : 'other',
        route: route?.path ?? 'none',
        status: c.res.status,
      });
    }),
    text: () => register.metrics(),
    contentType: register.contentType,
    register,
  };
}

/** Clients can send any method name, and a label value for each would fill the memory. */
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
