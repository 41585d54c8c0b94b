import { globSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/**
 * Test files that start services or databases as processes, and stop, kill or upgrade them. Each takes 10 to 40 s of
 * processor time, three minutes together, so they run in the rest lane.
 */
export const PROCESS_TEST_FILES = [
  'demo/start.test.ts',
  'packages/api/src/db/embedded.test.ts',
  'packages/api/src/db/embedded-users.test.ts',
  'packages/api/src/live/processes.test.ts',
  'packages/api/src/oauth/processes.test.ts',
  'packages/api/src/process/concurrent-processes.test.ts',
  'packages/api/src/process/upgrade.test.ts',
  'packages/api/src/webhooks/concurrent-workers.test.ts',
  'packages/cli/src/service/main.test.ts',
  'packages/cli/src/service/roles.test.ts',
];

/** Finds the other test files that match one of the globs, relative to the root. */
export const findTestFiles = (globs: string | readonly string[]): string[] =>
  globSync(globs, { cwd: ROOT, exclude: ['**/node_modules/**', ...PROCESS_TEST_FILES] }).sort();
