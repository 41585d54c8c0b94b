import type { Stage } from './stages.ts';

/** Where tests that run on Node alone are found; those of the elements need a browser. */
const GLOBS = [
  'packages/contract/src/**/*.test.ts',
  'packages/sandbox/**/*.test.ts',
  'server/**/*.test.ts',
  'demo/**/*.test.ts',
  'publish/*.test.ts',
  'test/{docs,lint,support}/**/*.test.ts',
];

/** Most files wait for a process, a timer or the database: two cores carry more than two. */
const FILES_AT_A_TIME = 4;

/** The slowest file takes a minute, on a slow machine several; one that hangs is ended, and named. */
const FILE_TIMEOUT_MS = 600_000;

/** Files that share the cores, one PostgreSQL and one browser; the outcomes go to `results`. */
const nodeTestCommand = (results: string, globs: string[]) =>
  [
    `node --test --test-concurrency=${FILES_AT_A_TIME} --test-timeout=${FILE_TIMEOUT_MS}`,
    // Dots for people; the outcome of each test for `docs/conformance.md`.
    '--test-reporter=dot --test-reporter-destination=stdout',
    '--test-reporter=./test/conformance/results-reporter.ts',
    `--test-reporter-destination=test/conformance/results/${results}.jsonl`,
    '--test-global-setup=packages/api/test-support/global-setup.ts',
    ...globs.map((glob) => `"${glob}"`),
  ].join(' ');

/** What starts a house of its own does so on the embedded PostgreSQL, as `npm start` does. */
const UNIT_TESTS: Stage = {
  name: 'unit tests',
  command: `node test/support/with-browser.ts -- ${nodeTestCommand('unit', GLOBS)}`,
  isRetriable: true,
};

/** The API's own tests run where it is strictest: on a server of somebody else, by `DATABASE_URL`. */
const API: Stage = {
  name: 'the API on a DATABASE_URL',
  command: `node test/support/with-browser.ts -- node packages/api/test-support/with-database-url.ts ${nodeTestCommand(
    'api',
    ['packages/api/**/*.test.ts'],
  )}`,
  isRetriable: true,
};

/** What goes to the registry, as somebody who installs it finds it. */
const PACKAGES: Stage = {
  name: 'packages, from their tarballs',
  command: 'npm run --silent test:packages',
  isRetriable: true,
};

/** Every test that stands beside its file, and those of `test/` without a browser. */
export const UNIT_STAGES: readonly Stage[] = [UNIT_TESTS, API, PACKAGES];
