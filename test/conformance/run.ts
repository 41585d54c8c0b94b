/**
 * `npm run conformance`: runs the tests of the specification's statements, then writes
 * docs/conformance.md.
 */
import { runSequentially } from '../support/stages.ts';
import { HTTP_TESTS, UNIT_STAGES } from '../support/unit-stages.ts';

await runSequentially([
  ...UNIT_STAGES,
  HTTP_TESTS,
  { name: 'docs/conformance.md', command: 'node test/conformance/write-conformance.ts' },
]);
