/** `npm run test:unit`: every test that stands beside its file, and those of `test/` without a browser. */
import { runSequentially } from './support/stages.ts';
import { UNIT_STAGES } from './support/unit-stages.ts';

await runSequentially([...UNIT_STAGES]);
