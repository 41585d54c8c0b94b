import { listSecrets, type Secrets } from '@connect-embed/contract/secrets';
import {
  errors,
  jwtVerify,
  type JWTPayload,
  type JWTVerifyOptions,
  type JWTVerifyResult,
} from 'jose';

/** Encodes secrets as keys of HS256. */
export const encodeSecrets = (secrets: Secrets): Uint8Array[] =>
  listSecrets(secrets).map((secret) => new TextEncoder().encode(secret));

/**
 * Verifies a token that was signed with any of the keys.
 *
 * @throws {errors.JOSEError} of the key that signed the token, or of the last key
 */
export async function verifyWithAny<Claims = JWTPayload>(
  token: string,
  keys: readonly Uint8Array[],
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
