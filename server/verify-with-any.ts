import { listSecrets, type Secrets } from '@connect-embed/contract/secrets';
import {
  type CryptoKey,
  errors,
  jwtVerify,
  type JWTPayload,
  type JWTVerifyOptions,
  type JWTVerifyResult,
} from 'jose';

/** Imports secrets as keys of HS256, once for all tokens: jose imports bytes again for each token. */
export const importSecrets = (secrets: Secrets): Promise<CryptoKey[]> =>
  Promise.all(
    listSecrets(secrets).map((secret) =>
      crypto.subtle.importKey(
        'raw',
        new TextEncoder().encode(secret),
        { name: 'HMAC', hash: 'SHA-256' },
        false,
        ['sign', 'verify'],
      ),
    ),
  );

/**
 * Verifies a token that was signed with any of the keys.
 *
 * @throws {errors.JOSEError} of the key that signed the token, or of the last key
 */
export async function verifyWithAny<Claims = JWTPayload>(
  token: string,
  keys: readonly CryptoKey[],
  options: JWTVerifyOptions,
): Promise<JWTVerifyResult<Claims>> {
  const [key, ...otherKeys] = keys;
  try {
    return await jwtVerify<Claims>(token, key!, options);
  } catch (error) {
    const isOtherKey = error instanceof errors.JWSSignatureVerificationFailed;
    if (!isOtherKey || otherKeys.length === 0) throw error;
    return await verifyWithAny(token, otherKeys, options);
  }
}
