import { basename } from 'node:path';
import { format, resolveConfig } from 'prettier';
import type { Result } from './results-reporter.ts';
import { testsOf } from './results.ts';
import type { Section, TestReference, Statement } from './statements/statement.ts';

type Outcome = 'passed' | '**failed**' | 'skipped' | '**no test**';

const INTRODUCTION = `# Conformance

This page lists each statement of the Connect API's specification, in our own words, with the tests that verify it.
\`npm run conformance\` runs the tests and writes this page. \`npm run test:all\` fails if a statement has no passing test, or if
this page is out of date.

- The statements and their tests are defined in \`test/conformance/statements/\`. In the title of a test, … stands for any
  text, so that one row can name many tests.
- A statement has **passed** if all its tests have passed.
- Where the specification leaves something open, the [decision records](decisions/README.md) describe what the API does.
`;

/** Returns the whole page, formatted with prettier. */
export async function writePage(
  sections: readonly Section[],
  results: readonly Result[],
  file: string,
): Promise<string> {
  const parts = sections.map((section) => writeSection(section, results));
  const options = await resolveConfig(file);
  return await format([INTRODUCTION, ...parts].join('\n'), { ...options, filepath: file });
}

const writeSection = ({ title, statements }: Section, results: readonly Result[]): string =>
  [
    `## ${title}\n`,
    '| Statement | Tests | Result |',
    '|-|-|-|',
    ...statements.map((statement) => row(statement, results)),
    '',
  ].join('\n');

const row = (statement: Statement, results: readonly Result[]): string =>
  `| ${cell(statement.text)} | ${linksTo(statement.tests)} | ${outcomeOf(statement, results)} |`;

/** Returns the result of a statement: the worst result of its tests. */
export function outcomeOf({ tests }: Statement, results: readonly Result[]): Outcome {
  const matches = tests.map((item) => testsOf(item, results));
  if (matches.length === 0 || matches.some((found) => found.length === 0)) {
    return '**no test**';
  }
  const outcomes = matches.flat().map(({ outcome }) => outcome);
  if (outcomes.includes('failed')) return '**failed**';
  return outcomes.includes('skipped') ? 'skipped' : 'passed';
}

/** Links each file once, followed by its test titles. */
function linksTo(tests: readonly TestReference[]): string {
  const byFile = Map.groupBy(tests, ({ file }) => file);
  return [...byFile]
    .map(([file, references]) => {
      const list = references.map(({ title }) => cell(title.replaceAll('*', '…'))).join('; ');
      return `[${basename(file, '.test.ts')}](../${file}): ${list}`;
    })
    .join('<br>');
}

/** Escapes text for a table cell. */
const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
