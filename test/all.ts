/**
 * `npm test`: all checks and tests, cheapest first; stops at the first failed stage. `npm test --
 * --only <text>` runs only the stages whose name contains the text.
 */
import { parseArgs } from 'node:util';
import { runSequentially, type Stage } from './support/stages.ts';
import { HTTP_TESTS, UNIT_STAGES } from './support/unit-stages.ts';

const STAGES: readonly Stage[] = [
  { name: 'format, lint, types', command: 'npm run --silent check -- --all' },
  { name: 'build', command: 'npm run --silent build' },
  { name: 'bundle sizes', command: 'npm run --silent size' },
  ...UNIT_STAGES,
  HTTP_TESTS,
  {
    name: 'docs/conformance.md',
    command: 'node test/conformance/write-conformance.ts --check',
  },
  { name: 'API requests per page view', command: 'npm run --silent bench:page-views' },
  {
    name: 'elements in a browser',
    command: 'npm run --silent test:elements',
    retryCommand: (files) =>
      // The runner resolves paths against its package.
      `npm run --silent test:elements -- -- --files ${files.map((file) => `../../${file}`).join(' ')}`,
  },
  {
    // Ignores a developer's local snapshots, which differ from the changes under test.
    name: 'stories',
    command: 'npm run --silent test:stories -- --ignore-snapshots',
    // All stories are in one test file and do not depend on each other, so the failed ones suffice.
    retryCommand: () => 'npm run --silent test:built-stories -- --ignore-snapshots --last-failed',
  },
  {
    name: 'end-to-end tests',
    command: 'npm run --silent test:e2e',
    // The files of all projects run one after the other in the order of the projects, because the
    // last one reads the output of all others.
    retryCommand: (files) =>
      `npm run --silent test:e2e -- --no-deps --workers=1 ${files.join(' ')} e2e/after/`,
  },
  {
    name: 'fault tests',
    command: 'npm run --silent test:faults -- --short',
    retryCommand: (scenarios) =>
      `npm run --silent test:faults -- --short ${scenarios.map((name) => `--only "${name}"`).join(' ')}`,
  },
];

const { values } = parseArgs({
  options: { only: { type: 'string', default: '' }, help: { type: 'boolean', short: 'h' } },
});
const chosen = STAGES.filter(({ name }) => name.includes(values.only));
if (chosen.length === 0) throw new Error(`--only: no stage name contains "${values.only}".`);
await runSequentially(chosen);
