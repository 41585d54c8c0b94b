import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/**
 * Environment variable with the path of a text file. The reporters of all test runners append to
 * that text file the test files that failed, one a line, and `stages.ts` runs them once more.
 */
export const FAILED_FILES_VARIABLE = 'FAILED_TEST_FILES';

/** Records a failed test file by its path. Does nothing outside of a run with a second run. */
export function recordFailedFile(path: string): void {
  recordFailure(relative(ROOT, resolve(path)));
}

/** Records what a stage can run again by itself: a test file, or a scenario of the fault tests. */
export function recordFailure(name: string): void {
  const list = process.env[FAILED_FILES_VARIABLE];
  if (list) appendFileSync(list, `${name}\n`);
}

/** Reads the recorded names without repetitions; empty if nothing was recorded. */
export function readFailures(list: string): string[] {
  if (!existsSync(list)) return [];
  return [...new Set(readFileSync(list, 'utf8').split('\n').filter(Boolean))].sort();
}
