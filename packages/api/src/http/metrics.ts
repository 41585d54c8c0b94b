import { createMiddleware } from 'hono/factory';
import { matchedRoutes } from 'hono/route';
import { sql } from 'kysely';
import type { Pool } from 'pg';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Env } from './env.ts';
import type { Db } from '../db/database.ts';
import { IS_RECENT } from '../mail/queue.ts';

/** Buckets around the usual durations of a list (milliseconds) and of a request to the processor. */
const BUCKETS_SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** Prometheus metrics of this process, and of the queues that all processes share. */
export interface Metrics {
  /** Counts and times each request by its route, not by its path, which contains ids. */
  measure: ReturnType<typeof createMiddleware<Env>>;
  /** All metrics in Prometheus' text format. */
  text(): Promise<string>;
  contentType: string;
}

export function createMetrics(db: Db, pool: Pool): Metrics {
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
  measureQueue(db, register);
  measureMail(db, register);
  return {
    measure: createMiddleware<Env>(async (c, next) => {
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

function measureQueue(db: Db, register: Registry): void {
  const pendingDeliveries = new Gauge({
    name: 'connect_webhook_deliveries_pending',
    help: 'Webhook deliveries that are pending, across all processes.',
    registers: [register],
  });
  const latenessGauge = new Gauge({
    name: 'connect_webhook_delivery_lateness_seconds',
    help: 'How long the oldest pending webhook delivery has been due; 0 if none is due.',
    registers: [register],
    async collect() {
      const { rows } = await sql<{ pending: number; lateness: number | null }>`
        select count(*) as pending,
          greatest(0, extract(epoch from now() - min(next_attempt_at)))::float8 as lateness
        from webhook_delivery where status = 'pending'`.execute(db);
      pendingDeliveries.set(rows[0]?.pending ?? 0);
      latenessGauge.set(rows[0]?.lateness ?? 0);
    },
  });
}

/** Ignores e-mails that are too old to be sent: an installation without e-mail has none that are late. */
function measureMail(db: Db, register: Registry): void {
  const latenessGauge = new Gauge({
    name: 'connect_mail_lateness_seconds',
    help: 'How long the oldest pending email to a donor has been due; 0 if none is due.',
    registers: [register],
    async collect() {
      const { rows } = await sql<{ lateness: number | null }>`
        select greatest(0, extract(epoch from now() - min(next_attempt_at)))::float8 as lateness
        from mail where status = 'pending' and ${IS_RECENT}`.execute(db);
      latenessGauge.set(rows[0]?.lateness ?? 0);
    },
  });
}
