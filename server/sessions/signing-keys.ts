import { listSecrets, type Secrets } from '@connect-embed/contract/secrets';
import {
  errors,
  jwtVerify,
  SignJWT,
  type CryptoKey,
  type JWTPayload,
  type JWTVerifyOptions,
} from 'jose';

const ALGORITHM = 'HS256';

/** Signs and verifies JWTs with secrets, of which all are accepted and the newest signs. */
export class SigningKeys {
  /** The newest first. Imported once, because jose imports bytes again for each token. */
  readonly #keys: Promise<CryptoKey[]>;

  constructor(secrets: Secrets) {
    this.#keys = Promise.all(listSecrets(secrets).map(importSecret));
  }

  /** @param type the JWT type, so that no other token signed with the same secret is accepted as one */
  async sign(claims: JWTPayload, type: string): Promise<string> {
    const [newest] = await this.#keys;
    return await new SignJWT(claims)
      .setProtectedHeader({ alg: ALGORITHM, typ: type })
      .sign(newest!);
  }

  /** @throws {errors.JOSEError} of the key that signed the token, or of the oldest key */
  async verify(token: string, options: JWTVerifyOptions): Promise<JWTPayload> {
    let failure: unknown;
    for (const key of await this.#keys) {
      try {
        const { payload } = await jwtVerify(token, key, { ...options, algorithms: [ALGORITHM] });
        return payload;
      } catch (error) {
        failure = error;
        if (!(error instanceof errors.JWSSignatureVerificationFailed)) break;
      }
    }
    throw failure;
  }
}

const importSecret = (secret: string): Promise<CryptoKey> =>
  crypto.subtle.importKey(
    'raw',
    new TextEncoder().encode(secret),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign', 'verify'],
  );
