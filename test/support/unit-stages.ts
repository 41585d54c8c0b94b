import { findTestFiles, PROCESS_TEST_FILES } from './process-tests.ts';
import type { Stage } from './stages.ts';
import { FILE_TIMEOUT_MS, listTestGroups } from './test-groups.ts';

/**
 * Tests that run in Node, except the API's. A few of them, such as the sandbox's, open pages in a
 * browser. The elements' own tests run in browsers and are not included: `npm run test:elements`.
 */
const UNIT_TEST_FILES = [
  'packages/contract/src/**/*.test.ts',
  'packages/{client,cli}/src/**/*.test.ts',
  'packages/locales/*.test.ts',
  'packages/sandbox/**/*.test.ts',
  'server/**/*.test.ts',
  'demo/**/*.test.ts',
  'packages/publish/{,release/}*.test.ts',
  'test/{deploy,docs,lint,support}/**/*.test.ts',
];

/**
 * Number of test files that run at a time. It exceeds the two cores, because most files wait for a
 * process, a timer or the database.
 */
const FILES_AT_A_TIME = 6;

interface NodeTests {
  name: string;
  /** The command that runs `node --test`, for example with a browser or a database. */
  runWith?: string;
  options?: readonly string[];
  filesAtATime?: number;
  /** Globs of the test files, or test groups. */
  files: readonly string[];
  /** The name under which the result of each test is saved for `docs/conformance.md`. */
  results?: string;
}

/** A stage of tests that run with `node --test`. The terminal shows dots, and then the failures. */
function nodeTestStage({
  name,
  runWith,
  options = [],
  filesAtATime = FILES_AT_A_TIME,
  files,
  results,
}: NodeTests): Stage {
  const command = (testFiles: readonly string[], resultsFile: string) =>
    [
      ...(runWith ? [runWith] : []),
      `node --test --test-concurrency=${filesAtATime} --test-timeout=${FILE_TIMEOUT_MS}`,
      '--test-reporter=dot --test-reporter-destination=stdout',
      '--test-reporter=./test/support/failed-files-node-test.ts --test-reporter-destination=stdout',
      ...(results
        ? [
            '--test-reporter=./test/conformance/results-reporter.ts',
            `--test-reporter-destination=test/conformance/results/${resultsFile}.jsonl`,
          ]
        : []),
      ...options,
      ...testFiles,
    ].join(' ');
  const saveRetryResults = results ? ` && node test/conformance/merge-results.ts ${results}` : '';
  return {
    name,
    command: command(
      files.map((glob) => JSON.stringify(glob)),
      `${results}`,
    ),
    retryCommand: (failedFiles) => command(failedFiles, `${results}.retry`) + saveRetryResults,
  };
}

const WITH_BROWSER = 'node test/support/with-browser.ts --';
/** A page of a headless shell needs a fraction of the processor time: docs/decisions/0016-tests-and-ci.md */
const WITH_HEADLESS_SHELL = 'node test/support/with-browser.ts --shell --';
const WITH_EXTERNAL_DATABASE = 'node packages/api/test-support/database/with-database-url.ts';
/** One PostgreSQL with a template database for all test files. */
const WITH_TEMPLATE_DATABASE = '--test-global-setup=packages/api/test-support/global-setup.ts';

/** Tests that start the whole system use the embedded PostgreSQL, like `npm start`. */
export const UNIT_TESTS = nodeTestStage({
  name: 'unit tests',
  runWith: WITH_HEADLESS_SHELL,
  options: [WITH_TEMPLATE_DATABASE],
  files: findTestFiles(UNIT_TEST_FILES),
  results: 'unit',
});

/**
 * The API's own tests run on an external PostgreSQL given by `DATABASE_URL`, the stricter variant. They
 * run in groups, because loading the application takes a second of processor time. A second run gets
 * the failed files, each with its own process.
 */
export const API_TESTS = nodeTestStage({
  name: 'API on an external PostgreSQL',
  runWith: WITH_EXTERNAL_DATABASE,
  options: [WITH_TEMPLATE_DATABASE],
  files: listTestGroups(),
  results: 'api',
});

/** Services and databases as processes: started, stopped, killed and upgraded. */
export const PROCESS_TESTS = nodeTestStage({
  name: 'services as processes',
  runWith: WITH_EXTERNAL_DATABASE,
  options: [WITH_TEMPLATE_DATABASE],
  files: PROCESS_TEST_FILES,
  results: 'processes',
});

/** Donations with crashes and other faults in every order, also on the external PostgreSQL. */
export const SIMULATION_TESTS = nodeTestStage({
  name: 'crashes and simulation of donations',
  runWith: WITH_EXTERNAL_DATABASE,
  options: [WITH_TEMPLATE_DATABASE],
  files: ['test/simulation/**/*.test.ts'],
});

/** Tests of the published packages, as users install them. */
export const PACKAGE_STAGES: readonly Stage[] = [
  { name: 'npm packages are built', command: 'npm run --silent build:packages' },
  nodeTestStage({
    name: 'npm packages',
    runWith: WITH_BROWSER,
    // Each installs packages, which uses a whole core.
    filesAtATime: 2,
    // Not `recipes/downloads`, which download more than 100 MB: `npm run test:recipes`.
    files: ['packages/publish/built/*.test.ts', 'packages/publish/built/recipes/*.test.ts'],
  }),
];

/** Tests of the whole system over HTTP: the specification's statements, and invalid input. */
export const HTTP_TESTS = nodeTestStage({
  name: 'specification and invalid input over HTTP',
  files: ['test/conformance/**/*.test.ts'],
  results: 'http',
});

/**
 * All tests beside their source files, except the elements', and those of the published packages, the
 * documentation, the lint rules and the test runner.
 */
export const UNIT_STAGES: readonly Stage[] = [
  UNIT_TESTS,
  API_TESTS,
  PROCESS_TESTS,
  ...PACKAGE_STAGES,
];
