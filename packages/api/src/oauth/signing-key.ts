import { generateKeyPairSync } from 'node:crypto';
import type { JWK } from 'oidc-provider';

/**
 * Creates a signing key that is never used. `oidc-provider` is also an OpenID provider and does not
 * start without a key for identity tokens, but we issue none. The key exists only in the memory of
 * this process.
 */
export function createUnusedSigningKey(): JWK {
  const { privateKey } = generateKeyPairSync('ed25519');
  return { ...privateKey.export({ format: 'jwk' }), alg: 'EdDSA', use: 'sig' };
}
