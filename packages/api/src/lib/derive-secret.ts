import { hkdfSync } from 'node:crypto';

/**
 * Derives a secret for one purpose from API_SECRET (HKDF, RFC 5869), so that a value signed for one
 * purpose is not valid for another.
 */
export const deriveSecret = (secret: string, purpose: string): string =>
  Buffer.from(hkdfSync('sha256', secret, '', `connect-embed ${purpose}`, 32)).toString('base64url');
