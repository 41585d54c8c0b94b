import type { Stage } from './stages.ts';

/** Tests that run in Node only; tests of the elements need a browser. */
const GLOBS = [
  'packages/contract/src/**/*.test.ts',
  'locales/*.test.ts',
  'packages/sandbox/**/*.test.ts',
  'server/**/*.test.ts',
  'demo/**/*.test.ts',
  'publish/*.test.ts',
  'test/{docs,lint,support}/**/*.test.ts',
];

/**
 * Number of test files that run at a time. It exceeds the two cores, because most files wait for a
 * process, a timer or the database.
 */
const FILES_AT_A_TIME = 4;

/**
 * Timeout of a test file. The slowest file takes one minute, or several minutes on a slow machine.
 */
const FILE_TIMEOUT_MS = 600_000;

/** The command for a set of test files; the results are written to `results`. */
const nodeTestCommand = (results: string, globs: string[]) =>
  [
    `node --test --test-concurrency=${FILES_AT_A_TIME} --test-timeout=${FILE_TIMEOUT_MS}`,
    // The terminal shows dots; the result of each test is written for `docs/conformance.md`.
    '--test-reporter=dot --test-reporter-destination=stdout',
    '--test-reporter=./test/conformance/results-reporter.ts',
    `--test-reporter-destination=test/conformance/results/${results}.jsonl`,
    '--test-global-setup=packages/api/test-support/global-setup.ts',
    ...globs.map((glob) => `"${glob}"`),
  ].join(' ');

/** Tests that start the whole system use the embedded PostgreSQL, like `npm start`. */
const UNIT_TESTS: Stage = {
  name: 'unit tests',
  command: `node test/support/with-browser.ts -- ${nodeTestCommand('unit', GLOBS)}`,
  isRetriable: true,
};

/** The API's own tests run on an external PostgreSQL given by `DATABASE_URL`, the stricter variant. */
const API: Stage = {
  name: 'API on an external PostgreSQL',
  command: `node test/support/with-browser.ts -- node packages/api/test-support/with-database-url.ts ${nodeTestCommand(
    'api',
    ['packages/api/**/*.test.ts'],
  )}`,
  isRetriable: true,
};

/** Tests of the published packages, as users install them. */
const PACKAGES: Stage = {
  name: 'npm packages',
  command: 'npm run --silent test:packages',
  isRetriable: true,
};

/** All tests beside their source files, and those of `test/` without a browser. */
export const UNIT_STAGES: readonly Stage[] = [UNIT_TESTS, API, PACKAGES];
