import { newestSecret, type Secrets } from '@connect-embed/contract/secrets';
import { sql } from 'kysely';
import { saveSecretProbe } from '../db/installation.ts';
import type { Db } from '../db/schema.ts';
import { createColumnEncrypter } from '../lib/column-encrypter.ts';
import { reencryptSecondFactors } from '../users/sign-in-secrets.ts';

/**
 * The columns with encrypted values, the primary keys of their tables, and the purposes of their keys. Stored
 * responses are left out: they are deleted after a day.
 */
const COLUMNS = [
  ['stripe_key.encrypted_secret_key', 'organization_id', 'stripe key'],
  ['stripe_key.encrypted_webhook_secret', 'organization_id', 'stripe key'],
  ['webhook_endpoint.encrypted_secret', 'id', 'webhook secret'],
  ['webhook_endpoint.encrypted_previous_secret', 'id', 'webhook secret'],
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
  [column, key, purpose]: (typeof COLUMNS)[number],
): Promise<number> {
  const encrypter = createColumnEncrypter(secrets, purpose);
  const [table, name] = column.split('.') as [string, string];
  const { rows } = await sql<{ id: string; organization_id: string; value: string }>`
    select ${sql.ref(key)} as id, organization_id, ${sql.ref(name)} as value from ${sql.table(table)}
    where ${sql.ref(name)} is not null for update`.execute(tx);
  let count = 0;
  for (const { id, organization_id, value } of rows) {
    const field = { column, organizationId: organization_id };
    const text = await encrypter.decrypt(value, field);
    if (text === undefined) continue;
    await sql`update ${sql.table(table)} set ${sql.ref(name)} = ${await encrypter.encrypt(text, field)}
      where ${sql.ref(key)} = ${id}`.execute(tx);
    count += 1;
  }
  return count;
}
