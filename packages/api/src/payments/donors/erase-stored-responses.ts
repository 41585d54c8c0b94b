import { sql } from 'kysely';
import type { Db } from '../../db/schema.ts';
import type { Encrypter } from '../../lib/encrypter.ts';

interface StoredResponse {
  credential_id: string;
  key: string;
  encrypted_body: string;
}

/**
 * Removes names and email addresses from the responses that are stored for requests with
 * an `Idempotency-Key`. They are encrypted, so each of the last 24 hours is decrypted and compared.
 *
 * @param personal the texts to remove, in lower case
 */
export async function eraseStoredResponses(
  { db, responseEncrypter }: { db: Db; responseEncrypter: Encrypter },
  organizationId: string,
  personal: ReadonlySet<string>,
): Promise<void> {
  for (const response of await findResponses(db, organizationId)) {
    const text = await responseEncrypter.decrypt(response.encrypted_body);
    const erased = text === undefined ? undefined : withoutTexts(text, personal);
    if (erased === undefined) continue;
    await db
      .updateTable('idempotency_key')
      .set({ encrypted_body: await responseEncrypter.encrypt(erased) })
      .where('credential_id', '=', response.credential_id)
      .where('key', '=', response.key)
      .where('encrypted_body', '=', response.encrypted_body)
      .execute();
  }
}

/** Finds the stored responses of all credentials of an organization. */
async function findResponses(db: Db, organizationId: string): Promise<StoredResponse[]> {
  const { rows } = await sql<StoredResponse>`
    select credential_id, key, encrypted_body from idempotency_key
    where encrypted_body is not null and credential_id in (
      select id from api_key where organization_id = ${organizationId}
      union all select id from embed_session where organization_id = ${organizationId}
      union all select id from oauth_connection where organization_id = ${organizationId})`.execute(
    db,
  );
  return rows;
}

/** Replaces the texts by null in a JSON response; undefined if it contains none of them. */
function withoutTexts(body: string, texts: ReadonlySet<string>): string | undefined {
  let isFound = false;
  const json = JSON.stringify(JSON.parse(body), (_, value: unknown) => {
    if (typeof value !== 'string' || !texts.has(value.toLowerCase())) return value;
    isFound = true;
    return null;
  });
  return isFound ? json : undefined;
}
