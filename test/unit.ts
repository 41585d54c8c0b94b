/**
 * `npm run test:unit`: the tests that run in Node. These are the tests beside their source files,
 * except the elements', and those of the published packages, the documentation, the lint rules and
 * the test runner.
 */
import { runSequentially } from './support/stages.ts';
import { UNIT_STAGES } from './support/unit-stages.ts';

await runSequentially([...UNIT_STAGES]);
