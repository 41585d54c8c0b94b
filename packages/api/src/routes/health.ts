import { statfs } from 'node:fs/promises';
import { ConnectError } from '@connect-embed/contract';
import { Hono } from 'hono';
import { checkWritable } from '../db/installation.ts';
import type { Env, WorkerDeps } from '../env.ts';

/** PostgreSQL writes ahead in files of 16 MiB, and stops altogether when it cannot create the next one. */
const MIN_FREE_MIB = 64;
/** Load balancers probe every few seconds, and anybody may: the database is asked once in this time. */
const CHECK_INTERVAL_MS = 2_000;

type HealthDeps = Pick<WorkerDeps, 'db' | 'embeddedFolder'>;

/**
 * `GET /healthz`: the process runs. `GET /readyz`: a donation could be recorded now, because the
 * database can be written to and its disk has room.
 */
export function health(deps: HealthDeps) {
  let lastCheck: { at: number; result: Promise<void> } | undefined;
  return new Hono<Env>()
    .get('/healthz', (c) => c.json({ status: 'ok' }))
    .get('/readyz', async (c) => {
      const now = performance.now();
      if (!lastCheck || now - lastCheck.at > CHECK_INTERVAL_MS)
        lastCheck = { at: now, result: checkReady(deps) };
      await lastCheck.result;
      return c.json({ status: 'ready' });
    });
}

/** @throws {ConnectError} `unavailable` */
async function checkReady({ db, embeddedFolder }: HealthDeps): Promise<void> {
  if (embeddedFolder) await checkFreeSpace(embeddedFolder);
  await checkWritable(db).catch((cause: unknown) => {
    throw new ConnectError('unavailable', 'The database cannot be reached or written to.', {
      cause,
    });
  });
}

async function checkFreeSpace(folder: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder).catch((cause: unknown) => {
    throw new ConnectError('unavailable', 'The disk of the database cannot be read.', { cause });
  });
  const freeMib = (bavail * bsize) / 2 ** 20;
  if (freeMib >= MIN_FREE_MIB) return;
  throw new ConnectError(
    'unavailable',
    `The disk of the database is full: ${Math.floor(freeMib)} MiB are free, and ${MIN_FREE_MIB} are needed.`,
  );
}
