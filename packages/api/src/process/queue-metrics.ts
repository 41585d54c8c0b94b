import { sql } from 'kysely';
import { Gauge, type Registry } from 'prom-client';
import type { Db } from '../db/schema.ts';
import { countWorkers } from '../db/service-processes.ts';
import { IS_RECENT } from '../mail/queue.ts';
import { countIncompletePayouts } from '../payments/incomplete-payouts.ts';

/** Registers metrics of the queues, of the workers that empty them and of payouts, which all processes share. */
export function measureQueues(db: Db, register: Registry): void {
  measureDeliveries(db, register);
  measureDeadRows(db, register);
  measureMail(db, register);
  measureWorkers(db, register);
  measurePayouts(db, register);
}

function measurePayouts(db: Db, register: Registry): void {
  const incompletePayouts = new Gauge({
    name: 'connect_payouts_incomplete',
    help: 'Payouts whose transactions do not add up, although Stripe has listed them all.',
    registers: [register],
    async collect() {
      incompletePayouts.set(await countIncompletePayouts(db));
    },
  });
}

function measureWorkers(db: Db, register: Registry): void {
  const workers = new Gauge({
    name: 'connect_workers',
    help: 'Running processes with background jobs, across all processes.',
    registers: [register],
    async collect() {
      workers.set((await countWorkers(db)).running);
    },
  });
}

function measureDeliveries(db: Db, register: Registry): void {
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

/**
 * Updated and deleted rows stay in the tables of the queues until vacuum removes them, which it cannot do
 * while a transaction is open that began earlier. Claims of emails read past them, and so does the full
 * scan of webhook deliveries.
 */
function measureDeadRows(db: Db, register: Registry): void {
  const deadRows = new Gauge({
    name: 'connect_queue_dead_rows',
    help: 'Dead rows in the table of a queue, by table, as PostgreSQL estimates them.',
    labelNames: ['table'],
    registers: [register],
    async collect() {
      const { rows } = await sql<{ table: string; count: number }>`
        select relname as table, n_dead_tup as count from pg_stat_user_tables
        where schemaname = 'public' and relname in ('webhook_delivery', 'mail')`.execute(db);
      for (const { table, count } of rows) deadRows.set({ table }, count);
    },
  });
}

/** Ignores emails that are too old to be sent, so that an installation without email reports 0. */
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
