/** `npm run conformance`: the tests that show what the specification says, then the page about it. */
import { runInTurn } from '../support/stages.ts';
import { UNIT } from '../support/unit-stage.ts';

await runInTurn([
  ...UNIT,
  { name: 'over HTTP', command: 'npm run --silent test:http' },
  { name: 'docs/conformance.md', command: 'node test/conformance/table.ts' },
]);
