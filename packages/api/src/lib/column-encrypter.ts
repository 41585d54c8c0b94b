import type { Secrets } from '@connect-embed/contract/secrets';
import { createEncrypter } from './encrypter.ts';

type EncryptedColumn =
  | 'idempotency_key.encrypted_body'
  | 'stripe_key.encrypted_secret_key'
  | 'stripe_key.encrypted_webhook_secret'
  | 'webhook_endpoint.encrypted_previous_secret'
  | 'webhook_endpoint.encrypted_secret';

/** Where an encrypted value is stored. */
export interface EncryptedField {
  column: EncryptedColumn;
  organizationId: string;
}

/**
 * Encrypts values of the database. Each is bound to its column and organization: a value that somebody
 * copies to another row cannot be decrypted there, so that no organization uses the keys of another one.
 */
export interface ColumnEncrypter {
  encrypt(text: string, field: EncryptedField): Promise<string>;
  /**
   * Undefined if the value was changed, or encrypted with another secret, for another column or for another
   * organization.
   */
  decrypt(ciphertext: string, field: EncryptedField): Promise<string | undefined>;
}

/** @param purpose as in `createEncrypter` */
export function createColumnEncrypter(secrets: Secrets, purpose: string): ColumnEncrypter {
  const encrypter = createEncrypter(secrets, purpose);
  return {
    encrypt: (text, field) => encrypter.encrypt(text, contextOf(field)),
    decrypt: (ciphertext, field) => encrypter.decrypt(ciphertext, contextOf(field)),
  };
}

const contextOf = ({ column, organizationId }: EncryptedField) => `${column} ${organizationId}`;
