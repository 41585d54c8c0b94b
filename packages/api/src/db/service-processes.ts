import { sql } from 'kysely';
import { newId } from '../lib/id.ts';
import type { WorkerLog } from '../lib/log.ts';
import { VERSION } from '../lib/version.ts';
import type { Db } from './schema.ts';

/** How often a process reports that it runs. */
const REPORT_INTERVAL_MS = 30_000;

/** A process that has not reported for so long is not running: it missed three reports. */
const ALIVE_SECONDS = 120;

/**
 * Reports regularly that this process runs, so that `doctor`, the metrics and alerts notice when no
 * worker does: docs/decisions/0105-readiness-and-secrets.md
 *
 * @returns a function that ends the reports, for a process that stops
 */
export async function reportProcess(
  { db, log }: { db: Db; log: WorkerLog },
  role: 'api' | 'worker' | 'all',
): Promise<() => Promise<void>> {
  const id = newId('proc');
  const onError = (err: unknown) => log.warn({ err }, 'reporting that this process runs failed');
  const report = async () => {
    const seen_at = sql<Date>`clock_timestamp()`;
    await db
      .insertInto('service_process')
      .values({ id, role, version: VERSION })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ seen_at }))
      .execute();
  };
  await report().catch(onError);
  const timer = setInterval(() => void report().catch(onError), REPORT_INTERVAL_MS).unref();
  return async () => {
    clearInterval(timer);
    await db.deleteFrom('service_process').where('id', '=', id).execute().catch(onError);
  };
}

/** Returns how many workers run, and when one was last seen; null if there has been none for a day. */
export async function countWorkers(db: Db): Promise<{ running: number; lastSeen: Date | null }> {
  const isAlive = sql<boolean>`seen_at > clock_timestamp() - make_interval(secs => ${ALIVE_SECONDS})`;
  const { running, lastSeen } = await db
    .selectFrom('service_process')
    .select((eb) => [
      sql<number>`count(*) filter (where ${isAlive})::int`.as('running'),
      eb.fn.max('seen_at').as('lastSeen'),
    ])
    .where('role', 'in', ['worker', 'all'])
    .executeTakeFirstOrThrow();
  return { running, lastSeen };
}

/** Deletes the rows of processes that were killed. */
export async function removeOldProcesses(db: Db): Promise<void> {
  await db
    .deleteFrom('service_process')
    .where('seen_at', '<', sql<Date>`now() - interval '1 day'`)
    .execute();
}
