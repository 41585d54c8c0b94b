import { statfs } from 'node:fs/promises';
import { ConnectError, type ErrorCodeOf } from '@connect-embed/contract';
import type { Secrets } from '@connect-embed/contract/secrets';
import { checkWritable, isSameSecret } from '../db/installation.ts';
import { findPendingMigrations } from '../db/migrate.ts';
import type { Db } from '../db/schema.ts';
import type { ReadyStatus } from '../http/env.ts';
import { haveAllLostKeys } from '../payments/own-keys/missing-keys.ts';
import { isEmpty } from '../setup/setup-link.ts';

/** PostgreSQL writes its log (WAL) in files of 16 MiB, and stops if it cannot create another file. */
const MIN_FREE_MIB = 64;

interface ReadinessOptions {
  db: Db;
  /** Folder of the embedded database; undefined if DATABASE_URL is set. */
  embeddedFolder: string | undefined;
  /** `API_SECRET` */
  secret: Secrets;
  processor: { hasPlatform: boolean };
}

/**
 * Creates the check behind `/readyz`: whether donations can be made and recorded. Strangers may read its
 * error, so it contains a code and no details; these are in its cause, which is logged.
 *
 * @returns a function that throws {ConnectError} `unavailable` with the code of the first problem
 */
export const createReadinessCheck =
  ({ db, embeddedFolder, secret, processor }: ReadinessOptions) =>
  async (): Promise<ReadyStatus> => {
    if (embeddedFolder) await requireFreeSpace(embeddedFolder);
    const pending = await findPendingMigrations(db).catch(throwUnavailable);
    if (pending.length > 0)
      throw notReady('migrations_pending', 'The database lacks migrations.', pending.join(', '));
    const probe = await checkWritable(db).catch(throwUnavailable);
    if (!(await isSameSecret(probe, secret)))
      throw notReady('secret_mismatch', 'API_SECRET does not match the database.');
    if (!processor.hasPlatform && (await haveAllLostKeys(db).catch(throwUnavailable)))
      throw notReady('processor_keys_missing', 'No organization has keys of the card processor.');
    return (await isEmpty(db).catch(throwUnavailable)) ? 'waiting_for_setup' : 'ready';
  };

function throwUnavailable(cause: unknown): never {
  throw notReady('database_unavailable', 'The database cannot be reached or written to.', cause);
}

async function requireFreeSpace(folder: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder).catch((cause: unknown) => {
    throw notReady('disk_full', 'The disk of the database cannot be read.', cause);
  });
  const freeMib = Math.floor((bavail * bsize) / 2 ** 20);
  if (freeMib >= MIN_FREE_MIB) return;
  const detail = `${freeMib} MiB free, at least ${MIN_FREE_MIB} MiB required`;
  throw notReady('disk_full', 'The disk of the database is almost full.', detail);
}

const notReady = (code: ErrorCodeOf<'unavailable'>, message: string, detail?: unknown) =>
  new ConnectError('unavailable', message, {
    code,
    cause: typeof detail === 'string' ? new Error(detail) : detail,
  });
