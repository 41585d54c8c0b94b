import { createHash } from 'node:crypto';

/** Hashes the content of a file for its address, so that browsers can cache the file indefinitely. */
export const contentHash = (content: string | Uint8Array, length = 12): string =>
  createHash('sha256').update(content).digest('base64url').slice(0, length);
