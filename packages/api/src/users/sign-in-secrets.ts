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

/**
 * Encrypts the secrets of authenticator apps and the backup codes again, with the newest secret. Values
 * that none of the secrets can decrypt stay as they are.
 *
 * @returns the number of people
 */
export async function reencryptSecondFactors(db: Db, secrets: Secrets): Promise<number> {
  const versions = signInSecrets(secrets);
  const key = {
    keys: new Map(versions.map(({ version, value }) => [version, value])),
    currentVersion: versions[0]!.version,
  };
  const decrypt = (data: string) => symmetricDecrypt({ key, data }).catch(() => undefined);
  const rows = await db
    .selectFrom('sign_in_second_factor')
    .select(['id', 'secret', 'backup_codes'])
    .forUpdate()
    .execute();
  let count = 0;
  for (const { id, ...factor } of rows) {
    const secret = await decrypt(factor.secret);
    const codes = await decrypt(factor.backup_codes);
    if (secret === undefined || codes === undefined) continue;
    await db
      .updateTable('sign_in_second_factor')
      .set({
        secret: await symmetricEncrypt({ key, data: secret }),
        backup_codes: await symmetricEncrypt({ key, data: codes }),
      })
      .where('id', '=', id)
      .execute();
    count += 1;
  }
  return count;
}
