import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Result } from './results-reporter.ts';
import type { TestReference } from './statements/statement.ts';

/** Stages whose last results are read, and the command that runs each. */
const COMMANDS = { unit: 'test:unit', api: 'test:unit', processes: 'test:unit', http: 'test:http' };

/**
 * Reads the last results of all stages.
 *
 * @throws {Error} naming the command to run if results are missing
 */
export function readResults(): Result[] {
  return Object.entries(COMMANDS).flatMap(([stage, command]) => {
    try {
      return parseResults(
        readFileSync(join(import.meta.dirname, 'results', `${stage}.jsonl`), 'utf8'),
      );
    } catch (cause) {
      const message = `There are no test results. Run \`npm run ${command}\` first.`;
      throw new Error(message, { cause });
    }
  });
}

/** Parses the lines that `results-reporter.ts` has written. */
export const parseResults = (lines: string): Result[] =>
  lines
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Result);

/** Replaces all results of the files that ran a second time. */
export function mergeResults(first: readonly Result[], second: readonly Result[]): Result[] {
  const repeated = new Set(second.map(({ file }) => file));
  return [...first.filter(({ file }) => !repeated.has(file)), ...second];
}

/** Finds the tests that a reference matches; empty if there are none. */
export function testsOf({ file, title }: TestReference, results: readonly Result[]): Result[] {
  const pattern = new RegExp(`^${title.split('*').map(escapeRegExp).join('.*')}$`, 's');
  return results.filter((result) => result.file === file && pattern.test(result.title));
}

const escapeRegExp = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
