/**
 * `npm run figures` measures how large and how fragmented the source code is. With `--since REF` it
 * also measures an earlier commit, to compare.
 */
import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import ts from 'typescript';
import { exitOnHelpOption } from './support/help-option.ts';

exitOnHelpOption(
  'Counts lines (also by package), files and functions of the source code. `--since REF` compares with a commit.',
);

const { since } = parseArgs({ options: { since: { type: 'string' } } }).values;

/** Extensions of source files. */
const SOURCE = /\.(?:ts|tsx|js|mjs|css|html|sql)$/;
/**
 * Files that are not counted: tests, their support, benchmarks, examples, stories, type
 * declarations and tool configuration.
 */
const EXCLUDED =
  /\.test\.ts$|\.d\.ts$|\.e2e\.ts$|\.stories\.ts$|(?:^|\/)(?:test|test-support|testing|examples|bench|workshop|locales\/.*\.json)(?:\/|$)|\.config\.m?[jt]s$/;
const LONG_FUNCTION_LINES = 40;
const SMALL_FILE_LINES = 20;

interface SourceFile {
  path: string;
  text: string;
}

interface Figures {
  lines: number;
  /** Lines by package, and by folder of the root for what is not a package. */
  packages: ReadonlyMap<string, number>;
  files: number;
  smallFiles: number;
  longFunctions: string[];
}

/** Reads the source files of a commit in one call of git. */
function readSource(commit: string): SourceFile[] {
  const paths = git(['ls-tree', '-r', '--name-only', commit])
    .split('\n')
    .filter((path) => SOURCE.test(path) && !EXCLUDED.test(path));
  const input = paths.map((path) => `${commit}:${path}\n`).join('');
  const output = execFileSync('git', ['cat-file', '--batch'], { input, maxBuffer: 1 << 28 });
  let offset = 0;
  return paths.map((path) => {
    const end = output.indexOf('\n', offset);
    const size = Number(output.toString('utf8', offset, end).split(' ').at(-1));
    const text = output.toString('utf8', end + 1, end + 1 + size);
    offset = end + size + 2;
    return { path, text };
  });
}

const git = (args: string[]) => execFileSync('git', args, { encoding: 'utf8', maxBuffer: 1 << 28 });

const countLines = (text: string) => text.split('\n').length - (text.endsWith('\n') ? 1 : 0);

function measure(files: readonly SourceFile[]): Figures {
  return {
    lines: files.reduce((sum, { text }) => sum + countLines(text), 0),
    packages: countByPackage(files),
    files: files.length,
    smallFiles: files.filter(({ text }) => countLines(text) <= SMALL_FILE_LINES).length,
    longFunctions: files.flatMap(findLongFunctions),
  };
}

function countByPackage(files: readonly SourceFile[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { path, text } of files) {
    const name = /^(?:packages\/)?[^/]+(?=\/)/.exec(path)?.[0] ?? '(root)';
    counts.set(name, (counts.get(name) ?? 0) + countLines(text));
  }
  return counts;
}

function findLongFunctions({ path, text }: SourceFile): string[] {
  if (!/\.(?:tsx?|m?js)$/.test(path)) return [];
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const lineOf = (position: number) => source.getLineAndCharacterOfPosition(position).line;
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body) {
      const first = lineOf(node.getStart());
      const lines = lineOf(node.end) - first + 1;
      if (lines > LONG_FUNCTION_LINES) found.push(`${path}:${first + 1} (${lines} lines)`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const commits = since === undefined ? ['HEAD'] : [since, 'HEAD'];
const figures = commits.map((commit) => measure(readSource(commit)));
console.table(
  Object.fromEntries(
    figures.map(({ lines, files, smallFiles, longFunctions }, index) => [
      commits[index],
      {
        'source lines': lines,
        files,
        [`files of at most ${SMALL_FILE_LINES} lines`]: smallFiles,
        [`functions over ${LONG_FUNCTION_LINES} lines`]: longFunctions.length,
      },
    ]),
  ),
);
const packageNames = new Set(figures.flatMap(({ packages }) => [...packages.keys()]));
console.table(
  Object.fromEntries(
    [...packageNames]
      .sort()
      .map((name) => [
        name,
        Object.fromEntries(
          figures.map(({ packages }, index) => [commits[index], packages.get(name) ?? 0]),
        ),
      ]),
  ),
);
console.log(`Functions over ${LONG_FUNCTION_LINES} lines:`);
for (const place of figures.at(-1)!.longFunctions) console.log(`  ${place}`);
