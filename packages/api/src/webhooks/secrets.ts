import { randomBytes } from 'node:crypto';
import { forOrganization } from '../db/organization-scope.ts';
import type { Db } from '../db/schema.ts';
import type { ColumnEncrypter, EncryptedField } from '../lib/column-encrypter.ts';
import type { EndpointKey } from './endpoints.ts';

/** Standard Webhooks requires 24 to 64 bytes. */
const SECRET_BYTES = 32;
/** How long the old secret also signs after a rotation (spec: Events, rule 3). */
const ROTATION_GRACE_HOURS = 24;

/** Generates a signing secret in the format of Standard Webhooks. */
export const newSecret = () => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;

/** The stored secrets of an endpoint. */
export interface EncryptedSecrets {
  organization_id: string;
  encrypted_secret: string;
  encrypted_previous_secret: string | null;
  previous_secret_until: Date | null;
}

/** The field of an endpoint's signing secret. */
export const secretOf = (organizationId: string): EncryptedField => ({
  column: 'webhook_endpoint.encrypted_secret',
  organizationId,
});

const previousSecretOf = (organizationId: string): EncryptedField => ({
  column: 'webhook_endpoint.encrypted_previous_secret',
  organizationId,
});

/**
 * Decrypts the secrets that currently sign, newest first: one, or two for 24 hours after a rotation.
 *
 * @throws {Error} if they were encrypted with another `API_SECRET` or for another organization
 */
export async function decryptSecrets(
  encrypter: ColumnEncrypter,
  stored: EncryptedSecrets,
  now: Date,
): Promise<string[]> {
  const { organization_id, encrypted_previous_secret, previous_secret_until } = stored;
  const secrets = [await encrypter.decrypt(stored.encrypted_secret, secretOf(organization_id))];
  if (encrypted_previous_secret && previous_secret_until && previous_secret_until > now) {
    const field = previousSecretOf(organization_id);
    secrets.push(await encrypter.decrypt(encrypted_previous_secret, field));
  }
  if (secrets.includes(undefined)) {
    throw new Error(
      'A webhook secret cannot be decrypted: it was encrypted with another API_SECRET or for another organization.',
    );
  }
  return secrets as string[];
}

/**
 * Replaces the secret; the previous one also signs for 24 hours, if it can be decrypted. After several
 * rotations the newest two sign.
 *
 * @returns the new secret
 */
export async function rotateSecret(
  db: Db,
  encrypter: ColumnEncrypter,
  { id, organization_id }: EndpointKey,
  now: Date,
): Promise<string> {
  const secret = newSecret();
  const encrypted_secret = await encrypter.encrypt(secret, secretOf(organization_id));
  const until = new Date(now.getTime() + ROTATION_GRACE_HOURS * 3_600_000);
  await db.transaction().execute(async (tx) => {
    const endpoints = forOrganization(tx, organization_id);
    const stored = await endpoints
      .selectFrom('webhook_endpoint')
      .select('encrypted_secret')
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    const previous =
      stored && (await encrypter.decrypt(stored.encrypted_secret, secretOf(organization_id)));
    const encrypted_previous_secret =
      previous === undefined
        ? null
        : await encrypter.encrypt(previous, previousSecretOf(organization_id));
    await endpoints
      .updateTable('webhook_endpoint')
      .set({ encrypted_secret, encrypted_previous_secret, previous_secret_until: until })
      .where('id', '=', id)
      .execute();
  });
  return secret;
}
