import { statfs } from 'node:fs/promises';
import { ConnectError } from '@connect-embed/contract';
import { Hono } from 'hono';
import { checkWritable } from '../db/installation.ts';
import type { Env, BaseDeps } from './env.ts';

/** PostgreSQL writes its log (WAL) in files of 16 MiB, and stops if it cannot create another file. */
const MIN_FREE_MIB = 64;
/** Time for which the result of a check is cached, because anyone can request `/readyz`. */
const CHECK_INTERVAL_MS = 2_000;

type HealthDeps = Pick<BaseDeps, 'db' | 'embeddedFolder'>;

/**
 * Health checks. `GET /healthz` responds 200 while the process runs. `GET /readyz` responds 200 while a
 * donation can be recorded: the database is writable and its disk has free space.
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

/** @throws {ConnectError} `unavailable` if the database cannot record a donation */
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
    `The disk of the database is almost full: ${Math.floor(freeMib)} MiB free, at least ${MIN_FREE_MIB} MiB required.`,
  );
}
