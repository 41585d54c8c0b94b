import { generateKeyPairSync } from 'node:crypto';
import type { JWK } from 'oidc-provider';

/**
 * The library is an OpenID provider too, and does not start without a key to sign identity tokens
 * with. We issue none: this key lives as long as the process and is told to nobody.
 */
export function createUnusedSigningKey(): JWK {
  const { privateKey } = generateKeyPairSync('ed25519');
  return { ...privateKey.export({ format: 'jwk' }), alg: 'EdDSA', use: 'sig' };
}
