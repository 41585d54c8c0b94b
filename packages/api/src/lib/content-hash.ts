import { createHash } from 'node:crypto';

/** Hashes the content of a file for its address, so that browsers can cache the file indefinitely. */
export const contentHash = (text: string): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, 12);
