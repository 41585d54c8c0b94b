import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hkdfSync,
  randomBytes,
  type KeyObject,
} from 'node:crypto';
import { listSecrets, type Secrets } from '@connect-embed/contract/secrets';

/**
 * Encrypts and authenticates texts that clients store, for example cursors. Only this service can read
 * them. Values of the database have a `ColumnEncrypter`.
 */
export interface Encrypter {
  /** @param context additional authenticated data, which is not part of the encrypted text */
  encrypt(text: string, context?: string): Promise<string>;
  /**
   * Undefined if the text was changed, or not encrypted with the same secret for the same purpose and in
   * the same context.
   */
  decrypt(ciphertext: string, context?: string): Promise<string | undefined>;
}

/**
 * The format is a compact JWE (RFC 7516) with `dir` and `A256GCM`, which any JOSE library reads.
 * Node's synchronous cipher is used because every page of a list encrypts a cursor, and `jose` would
 * take a third more CPU time for the whole request (docs/dependencies.md).
 */
const CIPHER = 'aes-256-gcm';
const HEADER = Buffer.from('{"alg":"dir","enc":"A256GCM"}').toString('base64url');
/** The beginning of every encrypted text. It is public and constant, so a text may be stored without it. */
export const JWE_PREFIX = `${HEADER}..`;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts with the newest secret, and decrypts with any of them.
 *
 * @param purpose each purpose has its own key, so that a text for one purpose is not valid for another
 */
export function createEncrypter(secrets: Secrets, purpose: string): Encrypter {
  const keys = listSecrets(secrets).map((secret) => createSecretKey(deriveKey(secret, purpose)));
  return {
    encrypt: async (text, context) => encrypt(keys[0]!, text, context),
    decrypt: async (ciphertext, context) => {
      for (const key of keys) {
        const text = decrypt(key, ciphertext, context);
        if (text !== undefined) return text;
      }
      return undefined;
    },
  };
}

/** Returns what is authenticated with a text: the header, and its context as a JWE does it (RFC 7516, 5.1). */
const additionalData = (context: string | undefined) =>
  Buffer.from(
    context === undefined ? HEADER : `${HEADER}.${Buffer.from(context).toString('base64url')}`,
  );

function encrypt(key: KeyObject, text: string, context: string | undefined): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, key, iv).setAAD(additionalData(context));
  const body = Buffer.concat([cipher.update(text), cipher.final()]);
  const parts = [iv, body, cipher.getAuthTag()].map((part) => part.toString('base64url'));
  return JWE_PREFIX + parts.join('.');
}

function decrypt(
  key: KeyObject,
  ciphertext: string,
  context: string | undefined,
): string | undefined {
  const [header, wrappedKey, ...parts] = ciphertext.split('.');
  const [iv, body, tag] = parts.map((part) => Buffer.from(part, 'base64url'));
  if (header !== HEADER || wrappedKey !== '' || !iv || !body || !tag) return undefined;
  if (!isCanonical(parts) || iv.length !== IV_BYTES || tag.length !== TAG_BYTES) return undefined;
  const decipher = createDecipheriv(CIPHER, key, iv)
    .setAAD(additionalData(context))
    .setAuthTag(tag);
  try {
    return Buffer.concat([decipher.update(body), decipher.final()]).toString();
  } catch {
    return undefined; // Changed, or encrypted with another key or in another context.
  }
}

/** Base64url ignores the spare bits of the last character. A text that differs only there is rejected too. */
const isCanonical = (parts: readonly string[]) =>
  parts.length === 3 &&
  parts.every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);

/** Derives the key of one purpose from API_SECRET (HKDF, RFC 5869). */
const deriveKey = (secret: string, purpose: string) =>
  Buffer.from(hkdfSync('sha256', secret, '', `connect-embed ${purpose}`, 32));

/** Derives a secret for signing, so that a value signed for one purpose is not valid for another. */
export const deriveSecret = (secret: string, purpose: string): string =>
  deriveKey(secret, purpose).toString('base64url');
