/** `npm run test:unit`: every test that stands beside its file, and those of `test/` without a browser. */
import { runInTurn } from './support/stages.ts';
import { UNIT } from './support/unit-stage.ts';

await runInTurn([...UNIT]);
