import { readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { TEST_AREAS } from './test-areas.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Columns of the table, each with the folders of its test files. A folder belongs to one column. */
const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  Unit: [
    'packages/client',
    'packages/cli',
    'packages/contract',
    'packages/sandbox',
    'packages/locales',
    'server',
    'demo',
    'packages/publish',
    'test/deploy',
    'test/docs',
    'test/lint',
    'test/support',
  ],
  API: ['packages/api', 'packages/dashboard', 'packages/donor-pages'],
  Elements: ['packages/elements'],
  Stories: ['packages/workshop'],
  'Whole system': [
    'test/e2e',
    'test/leak',
    'test/conformance',
    'test/faults',
    'test/container',
    'test/simulation',
    'test/wordpress',
  ],
};

const IS_TEST = /\.(test|e2e|stories)\.ts$|^test\/faults\/scenarios\/(?!index)/;

/** Returns all test files, relative to the root. */
export const findTestFiles = (): string[] =>
  Object.values(COLUMNS)
    .flat()
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
        join(folder, name),
      ),
    )
    .filter((file) => IS_TEST.test(file) && !/node_modules|\/dist\//.test(file))
    .sort();

/** Returns the first area with a pattern in the path; undefined if there is none. */
export const areaOf = (file: string): string | undefined =>
  TEST_AREAS.find(([, patterns]) => patterns.some((pattern) => file.includes(pattern)))?.[0];

/** The table of test/README.md: a row for each area, a column for each kind of test. */
export function testAreasMarkdown(document: string): string {
  const files = findTestFiles();
  const titles = Object.keys(COLUMNS);
  const rows = TEST_AREAS.map(([area]) => {
    const ofArea = files.filter((file) => areaOf(file) === area);
    const cells = Object.values(COLUMNS).map((folders) =>
      formatCell(
        ofArea.filter((file) => folders.some((folder) => file.startsWith(`${folder}/`))),
        document,
      ),
    );
    return [area, ...cells];
  });
  return [['Area', ...titles], ['', ...titles].map(() => '-'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

/** Lists test files by folder; each folder is a link, followed by the names of its files. */
function formatCell(files: readonly string[], document: string): string {
  const byFolder = Map.groupBy(files, (file) => dirname(file));
  return [...byFolder]
    .map(([folder, inFolder]) => {
      const names = inFolder.map((file) =>
        file.slice(folder.length + 1).replace(/(\.(test|e2e|stories))?\.ts$/, ''),
      );
      const label = folder.replace(/^(packages|test)\/|\/src(?=\/|$)/g, '');
      return `[${label}](${relative(dirname(document), folder)}): ${names.join(', ')}`;
    })
    .join('; ');
}
