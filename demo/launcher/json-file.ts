import { readFileSync } from 'node:fs';

/**
 * Reads a JSON object from a file.
 *
 * @param recoveryHint sentence of the error message that says how to repair a damaged file
 * @returns undefined if there is no file
 * @throws {Error} naming the file if it does not contain a JSON object
 */
export function readJsonFile(
  path: string,
  recoveryHint: string,
): Record<string, unknown> | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as Record<string, unknown>;
    }
  } catch {
    // The parser's message is dropped: it would quote the file, which contains secrets.
  }
  throw new Error(`${path} is damaged: it does not contain a JSON object. ${recoveryHint}`);
}
