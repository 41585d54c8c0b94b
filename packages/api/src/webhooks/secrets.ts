import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import type { Encrypter } from '../encrypter.ts';

/** Standard Webhooks asks for 24 to 64. */
const SECRET_BYTES = 32;
/** The old secret signs for so long after a rotation (spec: Events, rule 3). */
export const ROTATION_GRACE_HOURS = 24;

/** A new signing secret, in the form that every Standard Webhooks library reads. */
export const newSecret = () => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;

/** The secrets of an endpoint as they are kept. */
export interface EncryptedSecrets {
  sealed_secret: string;
  sealed_previous_secret: string | null;
  previous_secret_until: Date | null;
}

/**
 * The secrets that sign at this moment, newest first: one, or two for a day after a rotation.
 *
 * @throws {Error} when they were sealed with another `API_SECRET`
 */
export async function decryptSecrets(
  encrypter: Encrypter,
  { sealed_secret, sealed_previous_secret, previous_secret_until }: EncryptedSecrets,
  now: Date,
): Promise<string[]> {
  const sealed = [sealed_secret];
  if (sealed_previous_secret && previous_secret_until && previous_secret_until > now) {
    sealed.push(sealed_previous_secret);
  }
  const secrets = await Promise.all(sealed.map((text) => encrypter.decrypt(text)));
  if (secrets.includes(undefined)) {
    throw new Error(
      'A webhook secret cannot be opened: API_SECRET is not the one it was kept with.',
    );
  }
  return secrets as string[];
}

/**
 * Replaces the secret; the one before goes on signing for a day. Of several rotations in a day the
 * newest two secrets sign.
 */
export async function rotateSecret(
  db: Db,
  encrypter: Encrypter,
  endpointId: string,
  now: Date,
): Promise<string> {
  const secret = newSecret();
  const until = new Date(now.getTime() + ROTATION_GRACE_HOURS * 3_600_000);
  await db
    .updateTable('webhook_endpoint')
    .set({
      sealed_secret: await encrypter.encrypt(secret),
      sealed_previous_secret: sql.ref('sealed_secret'),
      previous_secret_until: until,
    })
    .where('id', '=', endpointId)
    .execute();
  return secret;
}
