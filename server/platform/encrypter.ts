import { listSecrets, type Secrets } from '@connect-embed/contract/secrets';
import { EncryptJWT, jwtDecrypt, type JWTPayload } from 'jose';

const HEADER = { alg: 'dir', enc: 'A256GCM' } as const;

/**
 * Encrypts data that is stored outside this process: OAuth tokens at rest, and the cookie of a
 * pending OAuth connection. Uses web-standard crypto only.
 */
export class Encrypter {
  /** The newest first. */
  readonly #keys: Promise<Uint8Array>[];

  /**
   * @param purpose each purpose has its own key, so that ciphertexts are not interchangeable
   */
  constructor(secrets: Secrets, purpose: string) {
    this.#keys = listSecrets(secrets).map((secret) =>
      deriveKey(secret, `connect-embed ${purpose}`),
    );
  }

  async encrypt(payload: JWTPayload, expiresAtSeconds: number): Promise<string> {
    const jwt = new EncryptJWT(payload).setProtectedHeader(HEADER);
    return await jwt.setExpirationTime(expiresAtSeconds).encrypt(await this.#keys[0]!);
  }

  /**
   * Decrypts a text; undefined if it was encrypted with another key, was changed, or has expired.
   *
   * @param subject the required claim `sub`, if the text belongs to somebody
   */
  async decrypt<Payload>(
    ciphertext: string | undefined,
    now: number,
    subject?: string,
  ): Promise<Payload | undefined> {
    if (!ciphertext) return undefined;
    const options = {
      ...(subject !== undefined && { subject }),
      currentDate: new Date(now),
      requiredClaims: ['exp'],
      keyManagementAlgorithms: [HEADER.alg],
      contentEncryptionAlgorithms: [HEADER.enc],
    };
    for (const key of this.#keys) {
      const payload = await jwtDecrypt(ciphertext, await key, options).then(
        (decrypted) => decrypted.payload as Payload,
        () => undefined,
      );
      if (payload) return payload;
    }
    return undefined;
  }
}

/** Derives a key with HKDF (RFC 5869) over SHA-256. */
async function deriveKey(secret: string, info: string): Promise<Uint8Array> {
  const text = new TextEncoder();
  const { subtle } = crypto;
  const base = await subtle.importKey('raw', text.encode(secret), 'HKDF', false, ['deriveBits']);
  const params = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: text.encode(info) };
  return new Uint8Array(await subtle.deriveBits(params, base, 256));
}
