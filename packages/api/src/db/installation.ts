import type { Secrets } from '@connect-embed/contract/secrets';
import { createEncrypter } from '../lib/encrypter.ts';
import type { Db } from './schema.ts';

const PROBE = 'connect-embed';
const probeEncrypter = (secret: Secrets) => createEncrypter(secret, 'installation');

/**
 * Makes sure that all processes on a database have the same `API_SECRET`. The first process stores an
 * encrypted text, and each later process must be able to decrypt it.
 *
 * @throws {Error} if the secret is a different one; the message says how to recover
 */
export async function requireSameSecret(db: Db, secret: Secrets): Promise<void> {
  if (await hasSameSecret(db, secret)) return;
  throw new Error(
    'API_SECRET: this database was set up with another secret. Use that secret, for example from your backup ' +
      '(with the embedded database it is the file api-secret in DATA_DIR). If it is lost, run ' +
      '`connect-embed secret replace`, which first lists the consequences.',
  );
}

/**
 * Returns true if the installation has this secret. The first secret that is checked becomes the
 * secret of the installation.
 */
export async function hasSameSecret(db: Db, secret: Secrets): Promise<boolean> {
  await db
    .updateTable('installation')
    .set({ secret_probe: await probeEncrypter(secret).encrypt(PROBE) })
    .where('secret_probe', 'is', null)
    .execute();
  const { secret_probe } = await db
    .selectFrom('installation')
    .select('secret_probe')
    .executeTakeFirstOrThrow();
  return await isSameSecret(secret_probe, secret);
}

/** Returns true if the stored probe was encrypted with this secret, or if there is no probe yet. */
export const isSameSecret = async (probe: string | null, secret: Secrets): Promise<boolean> =>
  probe === null || (await probeEncrypter(secret).decrypt(probe)) === PROBE;

/** Makes the newest secret the one that every process must have. */
export async function saveSecretProbe(db: Db, secret: Secrets): Promise<void> {
  const secret_probe = await probeEncrypter(secret).encrypt(PROBE);
  await db.updateTable('installation').set({ secret_probe }).execute();
}

/**
 * Makes `secret` the secret of the installation. Values that were encrypted with the previous secret
 * stay unreadable. Two-step sign-in is therefore turned off for everyone, because no code would be
 * accepted.
 */
export async function replaceSecret(db: Db, secret: Secrets): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await saveSecretProbe(tx, secret);
    await tx.deleteFrom('sign_in_second_factor').execute();
    await tx.deleteFrom('sign_in_session').execute();
    await tx
      .updateTable('person')
      .set({ two_factor_enabled: false })
      .where('two_factor_enabled', '=', true)
      .execute();
  });
}

/**
 * Checks that the database is writable. Fails if the database is full, read-only or a replica.
 *
 * @returns the probe of the installation's secret
 */
export async function checkWritable(db: Db): Promise<string | null> {
  const { secret_probe } = await db
    .updateTable('installation')
    .set({ write_checked_at: new Date() })
    .returning('secret_probe')
    .executeTakeFirstOrThrow();
  return secret_probe;
}
