/** `npm test`: all checks and tests, cheapest first; stops at the first failed stage. */
import { runSequentially } from './support/stages.ts';
import { UNIT_STAGES } from './support/unit-stages.ts';

await runSequentially([
  { name: 'format, lint, types', command: 'npm run --silent check' },
  { name: 'build', command: 'npm run --silent build' },
  { name: 'bundle sizes', command: 'npm run --silent size' },
  ...UNIT_STAGES,
  {
    name: 'specification and invalid input over HTTP',
    command: 'npm run --silent test:http',
    isRetriable: true,
  },
  {
    name: 'docs/conformance.md',
    command: 'node test/conformance/write-conformance.ts --check',
  },
  { name: 'API requests per page view', command: 'npm run --silent bench:page-views' },
  { name: 'elements in a browser', command: 'npm run --silent test:elements', isRetriable: true },
  {
    // Ignores a developer's local snapshots, which differ from the changes under test.
    name: 'stories',
    command: 'npm run --silent test:stories -- --ignore-snapshots',
    isRetriable: true,
  },
  { name: 'end-to-end tests', command: 'npm run --silent test:e2e', isRetriable: true },
  {
    name: 'fault tests',
    command: 'npm run --silent test:faults -- --short',
    isRetriable: true,
  },
]);
