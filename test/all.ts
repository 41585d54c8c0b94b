/**
 * `npm test`: the checks and tests of the main lane, cheapest first; stops at the first failed stage.
 * `npm run test:all` adds the rest, and `npm run test:rest` is the rest alone. `--only <text>` runs only
 * the stages whose name contains the text.
 */
import { parseArgs } from 'node:util';
import { runSequentially, type Stage } from './support/stages.ts';
import {
  API_TESTS,
  HTTP_TESTS,
  PACKAGE_STAGES,
  PROCESS_TESTS,
  SIMULATION_TESTS,
  UNIT_TESTS,
} from './support/unit-stages.ts';

/**
 * The files of all projects run one after the other in the order of the projects, because the last one
 * reads the output of all others.
 */
const repeatJourneys = (files: readonly string[]) =>
  `npm run --silent test:e2e -- --no-deps --workers=1 ${files.join(' ')} e2e/after/`;

/** What a change is tested with before it is sent: every package, and a journey of each main path. */
const MAIN_STAGES: readonly Stage[] = [
  { name: 'format, lint, types', command: 'npm run --silent check -- --all' },
  { name: 'build', command: 'npm run --silent build' },
  { name: 'bundle sizes', command: 'npm run --silent size' },
  UNIT_TESTS,
  API_TESTS,
  {
    name: 'elements in a browser',
    command: 'npm run --silent test:elements',
    retryCommand: (files) =>
      // The runner resolves paths against its package.
      `npm run --silent test:elements -- -- --files ${files.map((file) => `../../${file}`).join(' ')}`,
  },
  {
    name: 'journeys of the main paths',
    command: 'npm run --silent test:e2e -- --project main',
    retryCommand: repeatJourneys,
  },
];

/** What the main lane leaves to CI. */
const REST_STAGES: readonly Stage[] = [
  PROCESS_TESTS,
  ...PACKAGE_STAGES,
  HTTP_TESTS,
  {
    // Reads the results of the unit and API tests, too.
    name: 'docs/conformance.md',
    command: 'node test/conformance/write-conformance.ts --check',
  },
  { name: 'API requests per page view', command: 'npm run --silent bench:page-views' },
  {
    // Ignores a developer's local snapshots, which differ from the changes under test.
    name: 'stories',
    command: 'npm run --silent test:stories -- --ignore-snapshots',
    // All stories are in one test file and do not depend on each other, so the failed ones suffice.
    retryCommand: () => 'npm run --silent test:built-stories -- --ignore-snapshots --last-failed',
  },
  {
    name: 'all other journeys',
    command: 'npm run --silent test:e2e -- --project leaks --project journeys',
    retryCommand: repeatJourneys,
  },
  SIMULATION_TESTS,
  {
    name: 'fault tests',
    command: 'npm run --silent test:faults -- --short',
    retryCommand: (scenarios) =>
      `npm run --silent test:faults -- --short ${scenarios.map((name) => `--only "${name}"`).join(' ')}`,
  },
];

const LANES: Record<string, readonly Stage[]> = {
  main: MAIN_STAGES,
  rest: REST_STAGES,
  all: [...MAIN_STAGES, ...REST_STAGES],
};

const { values } = parseArgs({
  options: {
    lane: { type: 'string', default: 'all' },
    only: { type: 'string', default: '' },
    help: { type: 'boolean', short: 'h' },
  },
});
const lane = LANES[values.lane];
if (!lane) throw new Error(`--lane: must be ${Object.keys(LANES).join(', ')}.`);
const chosen = lane.filter(({ name }) => name.includes(values.only));
if (chosen.length === 0) throw new Error(`--only: no stage name contains "${values.only}".`);
await runSequentially(chosen);
