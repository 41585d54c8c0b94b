import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { forOrganization } from '../db/organization-scope.ts';
import type { Db } from '../db/schema.ts';
import type { Encrypter } from '../lib/encrypter.ts';
import type { EndpointKey } from './endpoints.ts';

/** Standard Webhooks requires 24 to 64 bytes. */
const SECRET_BYTES = 32;
/** How long the old secret also signs after a rotation (spec: Events, rule 3). */
const ROTATION_GRACE_HOURS = 24;

/** Generates a signing secret in the format of Standard Webhooks. */
export const newSecret = () => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;

/** The stored secrets of an endpoint. */
export interface EncryptedSecrets {
  encrypted_secret: string;
  encrypted_previous_secret: string | null;
  previous_secret_until: Date | null;
}

/**
 * Decrypts the secrets that currently sign, newest first: one, or two for 24 hours after a rotation.
 *
 * @throws {Error} if they were encrypted with another `API_SECRET`
 */
export async function decryptSecrets(
  encrypter: Encrypter,
  { encrypted_secret, encrypted_previous_secret, previous_secret_until }: EncryptedSecrets,
  now: Date,
): Promise<string[]> {
  const ciphertexts = [encrypted_secret];
  if (encrypted_previous_secret && previous_secret_until && previous_secret_until > now) {
    ciphertexts.push(encrypted_previous_secret);
  }
  const secrets = await Promise.all(ciphertexts.map((text) => encrypter.decrypt(text)));
  if (secrets.includes(undefined)) {
    throw new Error(
      'A webhook secret cannot be decrypted: it was encrypted with another API_SECRET.',
    );
  }
  return secrets as string[];
}

/**
 * Replaces the secret; the previous one also signs for 24 hours. After several rotations the newest
 * two sign.
 *
 * @returns the new secret
 */
export async function rotateSecret(
  db: Db,
  encrypter: Encrypter,
  endpoint: EndpointKey,
  now: Date,
): Promise<string> {
  const secret = newSecret();
  const until = new Date(now.getTime() + ROTATION_GRACE_HOURS * 3_600_000);
  await forOrganization(db, endpoint.organization_id)
    .updateTable('webhook_endpoint')
    .set({
      encrypted_secret: await encrypter.encrypt(secret),
      encrypted_previous_secret: sql.ref('encrypted_secret'),
      previous_secret_until: until,
    })
    .where('id', '=', endpoint.id)
    .execute();
  return secret;
}
