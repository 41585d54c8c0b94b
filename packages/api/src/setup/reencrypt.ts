import { newestSecret, type Secrets } from '@connect-embed/contract/secrets';
import { sql } from 'kysely';
import { saveSecretProbe } from '../db/installation.ts';
import type { Db } from '../db/schema.ts';
import { createEncrypter } from '../lib/encrypter.ts';
import { reencryptSecondFactors } from '../users/sign-in-secrets.ts';

/** A column with encrypted values, and the purpose of their key. */
const COLUMNS = [
  ['stripe_key', 'organization_id', 'encrypted_secret_key', 'stripe key'],
  ['stripe_key', 'organization_id', 'encrypted_webhook_secret', 'stripe key'],
  ['webhook_endpoint', 'id', 'encrypted_secret', 'webhook secret'],
  ['webhook_endpoint', 'id', 'encrypted_previous_secret', 'webhook secret'],
] as const;

/**
 * Encrypts everything in the database again with the newest `API_SECRET`, in one transaction. Afterwards
 * the older secrets are no longer needed. Values that none of the secrets can decrypt stay as they are.
 *
 * @returns the number of values
 */
export async function reencryptAll(db: Db, secrets: Secrets): Promise<number> {
  return await db.transaction().execute(async (tx) => {
    let count = await reencryptSecondFactors(tx, secrets);
    for (const column of COLUMNS) count += await reencryptColumn(tx, secrets, column);
    await saveSecretProbe(tx, newestSecret(secrets));
    return count;
  });
}

async function reencryptColumn(
  tx: Db,
  secrets: Secrets,
  [table, key, column, purpose]: (typeof COLUMNS)[number],
): Promise<number> {
  const encrypter = createEncrypter(secrets, purpose);
  const { rows } = await sql<{ id: string; value: string }>`
    select ${sql.ref(key)} as id, ${sql.ref(column)} as value from ${sql.table(table)}
    where ${sql.ref(column)} is not null for update`.execute(tx);
  let count = 0;
  for (const { id, value } of rows) {
    const text = await encrypter.decrypt(value);
    if (text === undefined) continue;
    await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${await encrypter.encrypt(text)}
      where ${sql.ref(key)} = ${id}`.execute(tx);
    count += 1;
  }
  return count;
}
