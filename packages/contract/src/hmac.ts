import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';

/** Computes the HMAC-SHA-256 of a text. */
export type Hmac = (text: string) => Uint8Array;

/**
 * Returns a function that computes HMAC-SHA-256 with a secret.
 *
 * Web Crypto hands each text to a thread pool, which costs ten times as much as the hash itself
 * (docs/dependencies.md). `node:crypto` is not available on every runtime of the server.
 */
export function createHmac(secret: string): Hmac {
  const encoder = new TextEncoder();
  const keyed = hmac.create(sha256, encoder.encode(secret));
  return (text) => keyed.clone().update(encoder.encode(text)).digest();
}
