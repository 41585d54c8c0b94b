import { hkdfSync } from 'node:crypto';
import { CompactEncrypt, compactDecrypt } from 'jose';

/** Makes a text unreadable and unchangeable for everybody but the processes of this service. */
export interface Seal {
  seal(text: string): Promise<string>;
  /** Undefined for whatever was not sealed here for the same purpose. */
  open(sealed: string): Promise<string | undefined>;
}

const HEADER = { alg: 'dir', enc: 'A256GCM' } as const;

/**
 * @param purpose each has its own key, so that one kind of sealed text never passes for another
 */
export function createSeal(secret: string, purpose: string): Seal {
  const key = importKey(hkdfSync('sha256', secret, '', `connect-embed ${purpose}`, 32));
  return {
    seal: async (text) =>
      await new CompactEncrypt(new TextEncoder().encode(text))
        .setProtectedHeader(HEADER)
        .encrypt(await key),
    async open(sealed) {
      if (!isCanonical(sealed)) return undefined;
      try {
        const { plaintext } = await compactDecrypt(sealed, await key, {
          keyManagementAlgorithms: [HEADER.alg],
          contentEncryptionAlgorithms: [HEADER.enc],
        });
        return new TextDecoder().decode(plaintext);
      } catch {
        return undefined;
      }
    },
  };
}

/** Base64 leaves spare bits in a last letter; a text that was changed there is changed all the same. */
const isCanonical = (sealed: string) =>
  sealed.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);

/** Once: given as bytes, the key would be imported anew for every page of every list. */
const importKey = (bytes: ArrayBuffer) =>
  crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt']);
