import { sql } from 'kysely';
import type { Db } from '../../db/schema.ts';
import { storedResponseOf } from '../../http/idempotency.ts';
import type { ColumnEncrypter } from '../../lib/column-encrypter.ts';
import { comparableText } from './comparable-text.ts';

interface StoredResponse {
  credential_id: string;
  key: string;
  encrypted_body: string;
}

/** Number of responses that are decrypted at a time. */
const PAGE_SIZE = 200;

/**
 * Removes names and email addresses from the responses that are stored for requests with
 * an `Idempotency-Key`. They are encrypted, so each of the last 24 hours is decrypted and compared.
 *
 * @param personal the texts to remove, as `comparableText` returns them
 */
export async function eraseStoredResponses(
  { db, responseEncrypter }: { db: Db; responseEncrypter: ColumnEncrypter },
  organizationId: string,
  personal: ReadonlySet<string>,
): Promise<void> {
  const field = storedResponseOf(organizationId);
  let page: StoredResponse[] = [];
  do {
    page = await findResponses(db, organizationId, page.at(-1));
    for (const response of page) {
      const text = await responseEncrypter.decrypt(response.encrypted_body, field);
      const erased = text === undefined ? undefined : withoutTexts(text, personal);
      if (erased === undefined) continue;
      await db
        .updateTable('idempotency_key')
        .set({ encrypted_body: await responseEncrypter.encrypt(erased, field) })
        .where('credential_id', '=', response.credential_id)
        .where('key', '=', response.key)
        .where('encrypted_body', '=', response.encrypted_body)
        .execute();
    }
  } while (page.length === PAGE_SIZE);
}

/** Finds the next stored responses of all credentials of an organization, in the order of the key. */
async function findResponses(
  db: Db,
  organizationId: string,
  last: StoredResponse = { credential_id: '', key: '', encrypted_body: '' },
): Promise<StoredResponse[]> {
  const { rows } = await sql<StoredResponse>`
    select credential_id, key, encrypted_body from idempotency_key
    where encrypted_body is not null and credential_id in (
      select id from api_key where organization_id = ${organizationId}
      union all select id from embed_session where organization_id = ${organizationId}
      union all select id from oauth_connection where organization_id = ${organizationId})
      and (credential_id, key) > (${last.credential_id}, ${last.key})
    order by credential_id, key limit ${PAGE_SIZE}`.execute(db);
  return rows;
}

/** Replaces the texts by null in a JSON response; undefined if it contains none of them. */
function withoutTexts(body: string, texts: ReadonlySet<string>): string | undefined {
  let isFound = false;
  const json = JSON.stringify(JSON.parse(body), (_, value: unknown) => {
    if (typeof value !== 'string' || !texts.has(comparableText(value))) return value;
    isFound = true;
    return null;
  });
  return isFound ? json : undefined;
}
