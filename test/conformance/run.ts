/**
 * `npm run conformance`: runs the tests of the specification's statements, then writes
 * docs/conformance.md.
 */
import { runSequentially } from '../support/stages.ts';
import { UNIT_STAGES } from '../support/unit-stages.ts';

await runSequentially([
  ...UNIT_STAGES,
  { name: 'specification and invalid input over HTTP', command: 'npm run --silent test:http' },
  { name: 'docs/conformance.md', command: 'node test/conformance/write-conformance.ts' },
]);
