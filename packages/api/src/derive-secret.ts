import { hkdfSync } from 'node:crypto';

/**
 * A secret of its own for each purpose, all from the one that the installation has (RFC 5869), so
 * that what is signed for one purpose never passes for another.
 */
export const deriveSecret = (secret: string, purpose: string): string =>
  Buffer.from(hkdfSync('sha256', secret, '', `connect-embed ${purpose}`, 32)).toString('base64url');
