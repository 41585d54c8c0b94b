/** `npm run test:unit`: every test beside its source file, and those of `test/` without a browser. */
import { runSequentially } from './support/stages.ts';
import { UNIT_STAGES } from './support/unit-stages.ts';

await runSequentially([...UNIT_STAGES]);
