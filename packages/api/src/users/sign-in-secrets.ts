import { createHash } from 'node:crypto';
import { listSecrets, type Secrets } from '@connect-embed/contract/secrets';
import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto';
import type { Db } from '../db/schema.ts';
import { deriveSecret } from '../lib/encrypter.ts';

/**
 * The secrets of Better Auth, the newest first. It signs cookies with the first, and names in each
 * encrypted value the version of its secret, for which a part of the secret's hash is used.
 */
export const signInSecrets = (secrets: Secrets): { version: number; value: string }[] =>
  listSecrets(secrets).map((secret) => {
    const value = deriveSecret(secret, 'sign-in');
    const version = createHash('sha256').update(value).digest().readUInt32BE() >>> 1;
    return { version, value };
  });

/** Encrypts the secrets of authenticator apps and the backup codes again, with the newest secret. */
export async function reencryptSecondFactors(db: Db, secrets: Secrets): Promise<number> {
  const versions = signInSecrets(secrets);
  const key = {
    keys: new Map(versions.map(({ version, value }) => [version, value])),
    currentVersion: versions[0]!.version,
  };
  const reencrypt = async (data: string) =>
    await symmetricEncrypt({ key, data: await symmetricDecrypt({ key, data }) });
  const rows = await db
    .selectFrom('sign_in_second_factor')
    .select(['id', 'secret', 'backup_codes'])
    .forUpdate()
    .execute();
  for (const { id, secret, backup_codes } of rows) {
    await db
      .updateTable('sign_in_second_factor')
      .set({ secret: await reencrypt(secret), backup_codes: await reencrypt(backup_codes) })
      .where('id', '=', id)
      .execute();
  }
  return rows.length;
}
