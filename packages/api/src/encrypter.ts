import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hkdfSync,
  randomFillSync,
  type KeyObject,
} from 'node:crypto';

/** Makes a text unreadable and unchangeable for everybody but the processes of this service. */
export interface Encrypter {
  encrypt(text: string): Promise<string>;
  /** Undefined for whatever was not sealed here for the same purpose. */
  decrypt(ciphertext: string): Promise<string | undefined>;
}

/**
 * What is sealed is a compact JWE (RFC 7516): `dir` and `A256GCM`, which any JOSE library reads. Node's own
 * cipher makes it at once; a library's way through a thread pool cost more than the page behind it.
 */
const CIPHER = 'aes-256-gcm';
const HEADER = Buffer.from('{"alg":"dir","enc":"A256GCM"}').toString('base64url');
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * @param purpose each has its own key, so that one kind of sealed text never passes for another
 */
export function createEncrypter(secret: string, purpose: string): Encrypter {
  const bytes = hkdfSync('sha256', secret, '', `connect-embed ${purpose}`, 32);
  const key = createSecretKey(Buffer.from(bytes));
  return {
    encrypt: async (text) => encrypt(key, text),
    decrypt: async (ciphertext) => decrypt(key, ciphertext),
  };
}

/** Asking the system for a few random bytes costs as much as sealing with them: many are fetched at once. */
const ivs = Buffer.alloc(IV_BYTES * 512);
let ivAt = ivs.length;

function nextIv(): Buffer {
  if (ivAt === ivs.length) {
    randomFillSync(ivs);
    ivAt = 0;
  }
  const iv = Buffer.from(ivs.subarray(ivAt, ivAt + IV_BYTES)); // A copy: the next filling overwrites it.
  ivAt += IV_BYTES;
  return iv;
}

function encrypt(key: KeyObject, text: string): string {
  const iv = nextIv();
  const cipher = createCipheriv(CIPHER, key, iv).setAAD(Buffer.from(HEADER));
  const body = Buffer.concat([cipher.update(text), cipher.final()]);
  const parts = [iv, body, cipher.getAuthTag()].map((part) => part.toString('base64url'));
  return `${HEADER}..${parts.join('.')}`;
}

function decrypt(key: KeyObject, ciphertext: string): string | undefined {
  const [header, wrappedKey, ...parts] = ciphertext.split('.');
  const [iv, body, tag] = parts.map((part) => Buffer.from(part, 'base64url'));
  if (header !== HEADER || wrappedKey !== '' || !iv || !body || !tag) return undefined;
  if (!isCanonical(parts) || iv.length !== IV_BYTES || tag.length !== TAG_BYTES) return undefined;
  const decipher = createDecipheriv(CIPHER, key, iv).setAAD(Buffer.from(HEADER)).setAuthTag(tag);
  try {
    return Buffer.concat([decipher.update(body), decipher.final()]).toString();
  } catch {
    return undefined; // Changed, or sealed with another key.
  }
}

/** Base64 leaves spare bits in a last letter; a text that was changed there is changed all the same. */
const isCanonical = (parts: readonly string[]) =>
  parts.length === 3 &&
  parts.every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);
