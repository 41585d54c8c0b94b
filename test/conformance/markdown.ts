import { basename } from 'node:path';
import { format, resolveConfig } from 'prettier';
import type { Result } from './results-reporter.ts';
import { testsOf } from './results.ts';
import type { Section, TestReference, Statement } from './statements/statement.ts';

export type Outcome = 'holds' | '**fails**' | 'skipped' | '**shown by nothing**';

const ABOUT = `# Conformance

What the specification of the Connect API says, in our words, one row for each statement, and the
tests that show it. Written from a run of them by \`npm run conformance\`, never by hand; \`npm test\`
fails when a statement is shown by nothing, or when this page is not what its run would write.

- The statements and their tests stand in \`test/conformance/statements/\`; in a title, … stands for
  anything, so that one row may name many tests.
- A row **holds** when every test that it names has passed.
- Where the specification says "not shown", the [decisions](decisions/README.md) say what is done.
`;

/** The whole page, formatted with prettier. */
export async function writePage(
  sections: readonly Section[],
  results: readonly Result[],
  file: string,
): Promise<string> {
  const parts = sections.map((section) => writeSection(section, results));
  const options = await resolveConfig(file);
  return await format([ABOUT, ...parts].join('\n'), { ...options, filepath: file });
}

const writeSection = ({ title, statements }: Section, results: readonly Result[]): string =>
  [
    `## ${title}\n`,
    '| Statement | Shown by | |',
    '|-|-|-|',
    ...statements.map((statement) => row(statement, results)),
    '',
  ].join('\n');

const row = (statement: Statement, results: readonly Result[]): string =>
  `| ${cell(statement.says)} | ${references(statement.shownBy)} | ${outcomeOf(statement, results)} |`;

/** The result of a statement is the worst result of its tests. */
export function outcomeOf({ shownBy }: Statement, results: readonly Result[]): Outcome {
  const tests = shownBy.map((item) => testsOf(item, results));
  if (tests.length === 0 || tests.some((found) => found.length === 0)) {
    return '**shown by nothing**';
  }
  const outcomes = tests.flat().map(({ outcome }) => outcome);
  if (outcomes.includes('fails')) return '**fails**';
  return outcomes.includes('skipped') ? 'skipped' : 'holds';
}

/** Links each file once, followed by its test titles. */
function references(shownBy: readonly TestReference[]): string {
  const titles = Map.groupBy(shownBy, ({ file }) => file);
  return [...titles]
    .map(([file, shows]) => {
      const named = shows.map(({ title }) => cell(title.replaceAll('*', '…'))).join('; ');
      return `[${basename(file, '.test.ts')}](../${file}): ${named}`;
    })
    .join('<br>');
}

/** Escapes text for a table cell. */
const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
