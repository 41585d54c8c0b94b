import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Minimum number of characters of a secret. Shorter secrets can be guessed. */
export const MIN_SECRET_LENGTH = 32;

/**
 * Reads a secret from a file, and creates the file with a random secret if there is none.
 *
 * Only the owner of the process can read the file.
 *
 * @param recoveryHint instructions for the operator, for the message about a damaged file
 * @throws {Error} with the path if the file contains fewer than 32 characters
 */
export function readOrCreateSecret(path: string, recoveryHint: string): string {
  const secret = readIfPresent(path) ?? createSecret(path);
  if (secret.length >= MIN_SECRET_LENGTH) return secret;
  throw new Error(
    `${path} is damaged: it has ${secret.length} characters, but a secret has at least ${MIN_SECRET_LENGTH}. ` +
      recoveryHint,
  );
}

/** Returns the text of a file without surrounding white space; undefined if the file is missing. */
export function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Creates the file and returns its secret. If another process creates the file first, its secret is used. */
function createSecret(path: string): string {
  mkdirSync(dirname(path), { recursive: true });
  try {
    writeSecretFile(path, randomBytes(32).toString('base64url'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readFileSync(path, 'utf8').trim();
}

/**
 * Writes a secret to a new file, so that the file is either complete or absent: the text is on the
 * disk under a temporary name before the file gets its own name.
 *
 * @throws {Error} with the code `EEXIST` when the file exists
 */
export function writeSecretFile(path: string, secret: string): void {
  const temporaryPath = `${path}.${randomBytes(6).toString('hex')}.new`;
  try {
    writeFileSync(temporaryPath, secret, { flag: 'wx', mode: 0o600, flush: true });
    linkSync(temporaryPath, path); // Unlike a rename, a link does not replace an existing file.
  } finally {
    rmSync(temporaryPath, { force: true });
  }
}
