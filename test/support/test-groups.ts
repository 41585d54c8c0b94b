import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { suite, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { findTestFiles } from './process-tests.ts';

const ROOT = join(import.meta.dirname, '../..');

/**
 * The folder of the test groups. `node --test` runs a group like a test file; the group runs its share
 * of the test files of the API and its pages in one process, so that the application is loaded once for all of them.
 */
const FOLDER = 'test/test-groups';
const TEST_FILES = 'packages/{api,dashboard,donor-pages}/**/*.test.ts';

/**
 * Timeout of a test file. The slowest file takes one minute, or several minutes on a slow machine.
 */
export const FILE_TIMEOUT_MS = 600_000;

/** How long a group may take to end after its last test. */
const ENDING_TIMEOUT_MS = 60_000;

/** Name of the last test of a group. If it is missing, some files of the group may not have run. */
export const LAST_TEST = 'all files have run';

/** Returns true if a path that `node --test` reports is the path of a test group. */
export const isTestGroup = (path: string | undefined): path is string =>
  path !== undefined && basename(dirname(path)) === basename(FOLDER);

/** Returns the paths of all test groups, relative to the root. */
export const listTestGroups = (): string[] =>
  readdirSync(join(ROOT, FOLDER))
    .sort()
    .map((name) => `${FOLDER}/${name}`);

/**
 * Returns the test files of a group, relative to the root. Every test file that starts no service is in one group. Neighboring
 * files are in different groups, because the files of a folder take about the same time.
 */
export function listFilesOfGroup(group: string): string[] {
  const groups = listTestGroups();
  const position = groups.indexOf(relative(ROOT, group));
  if (position === -1) throw new Error(`${group} is not a test group of ${FOLDER}.`);
  return findTestFiles(TEST_FILES).filter((_, index) => index % groups.length === position);
}

/**
 * Runs test files one after the other in this process.
 *
 * Each file is imported in a suite named after its path. The hooks at its top level belong to the
 * suite, so its servers and its database are closed before the next file starts. The reporters
 * `failed-files-node-test.ts` and `results-reporter.ts` read the name of the suite.
 */
export async function runTestFiles(
  files: readonly string[],
  fileTimeoutMs = FILE_TIMEOUT_MS,
): Promise<void> {
  let isFinished = false;
  // A file that ends the process with exit code 0 would otherwise skip the files after it.
  process.once('exit', () => {
    if (!isFinished) process.exitCode = 1;
  });
  // A file that waits only for timers without a reference would otherwise end the process.
  const keepAlive = setInterval(() => {}, 60_000);
  for (const file of files) {
    const url = pathToFileURL(join(ROOT, file)).href;
    await suite(file, { timeout: fileTimeoutMs }, () => importWithTimeout(url, fileTimeoutMs));
  }
  clearInterval(keepAlive);
  // An error outside a test sets the exit code.
  await test(LAST_TEST, () => assert.ok(!process.exitCode, 'a file failed outside its tests'));
  isFinished = true;
  setTimeout(failIfStillRunning, ENDING_TIMEOUT_MS).unref();
}

/** Imports a test file. A file that awaits something forever fails; otherwise the group would hang. */
async function importWithTimeout(url: string, timeoutMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    const error = new Error(`The file did not load within ${timeoutMs} ms.`);
    timer = setTimeout(() => reject(error), timeoutMs);
  });
  await Promise.race([import(url), timeout]).finally(() => clearTimeout(timer));
}

/** Ends a group whose files have left something open, such as a server. */
function failIfStillRunning(): void {
  console.error(
    `The test group does not end. Open: ${process.getActiveResourcesInfo().join(', ')}`,
  );
  process.exit(1);
}
