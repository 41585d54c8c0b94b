/**
 * `node test/conformance/write-conformance.ts` writes `docs/conformance.md` from the results of the
 * last test run. With `--check` it writes nothing and fails if the page is out of date.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { outcomeOf, writePage } from './markdown.ts';
import { readResults, testsOf } from './results.ts';
import { SECTIONS } from './statements/index.ts';

const ROOT = join(import.meta.dirname, '../..');
const PAGE = join(ROOT, 'docs/conformance.md');

const results = readResults();
const page = await writePage(SECTIONS, results, PAGE);
const problems = SECTIONS.flatMap(({ title, statements }) =>
  statements
    .map((statement) => ({ statement, outcome: outcomeOf(statement, results) }))
    .filter(({ outcome }) => outcome.startsWith('**'))
    .flatMap(({ statement: { text, tests }, outcome }) => [
      `${title}: ${text} — ${outcome.replaceAll('*', '')}`,
      ...tests
        .filter((item) => !testsOf(item, results).some((test) => test.outcome !== 'failed'))
        .map(({ file, title: test }) => `    ${file}: ${test}`),
    ]),
);

if (process.argv.includes('--check')) {
  if (readPage() !== page)
    problems.push('docs/conformance.md is out of date. Run npm run conformance.');
} else {
  writeFileSync(PAGE, page);
  console.log(`${relative(ROOT, PAGE)} written.`);
}
for (const problem of problems) console.error(problem);
const count = SECTIONS.reduce((sum, { statements }) => sum + statements.length, 0);
console.log(`${count} statements, ${results.length} tests.`);
process.exitCode = problems.length > 0 ? 1 : 0;

function readPage(): string {
  try {
    return readFileSync(PAGE, 'utf8');
  } catch {
    return '';
  }
}
