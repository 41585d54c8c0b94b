/**
 * `npm run check`: formatting, lint, imports, types, and lists in documents, in
 * parallel. Of the files, it formats and lints those that differ from the last commit; types are checked
 * in all files. `npm run check -- --all`, which `npm test` runs, formats and lints all files.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { runConcurrently, type Stage } from './support/stages.ts';

const CACHE = 'node_modules/.cache/check';
/** A change of these files can cause an error in every file. */
const CONFIGURATION =
  /^(?:package(?:-lock)?\.json$|eslint\.config\.js$|\.oxlintrc|\.prettier|test\/lint\/)/;

const { all } = parseArgs({
  options: { all: { type: 'boolean', default: false }, help: { type: 'boolean', short: 'h' } },
}).values;

await runConcurrently([
  ...lint(all ? undefined : changedFiles()),
  { name: 'imports', command: 'depcruise --no-progress packages server demo test' },
  { name: 'message catalog', command: 'node test/lint/message-catalog.ts' },
  {
    name: 'lists in documents',
    command: 'node --test test/docs/contributing.test.ts test/docs/dependencies.test.ts',
  },
  { name: 'types of the services', command: typesOf('tsconfig.json') },
  { name: 'types of the elements', command: typesOf('packages/elements') },
  { name: 'types of the React components', command: typesOf('packages/react') },
  { name: 'types of the workshop', command: typesOf('packages/workshop') },
  { name: 'types of the docs site', command: typesOf('packages/site') },
]);

/**
 * Returns the stages that format and lint files.
 *
 * A changed type can cause an error of a promise in another file, which only `--all` finds.
 *
 * @param files undefined for all files
 */
function lint(files: readonly string[] | undefined): Stage[] {
  const command = (program: string, type: RegExp) => {
    const paths = files?.filter((file) => type.test(file)).map((file) => `'${file}'`);
    return paths?.length === 0 ? [] : [`${program} ${paths?.join(' ') ?? '.'}`];
  };
  const eslint = `eslint --max-warnings 0 --no-warn-ignored --cache --cache-strategy content --cache-location ${CACHE}/eslint-${hashLintRules()}`;
  return Object.entries({
    prettier: command('prettier --check --ignore-unknown --log-level warn --cache', /./),
    eslint: command(eslint, /\.[cm]?[jt]sx?$/),
    promises: command('oxlint --max-warnings 0', /\.tsx?$/),
  }).flatMap(([name, commands]) => commands.map((one) => ({ name, command: one })));
}

/** Returns the files that differ from the last commit; undefined if that may concern every file. */
function changedFiles(): string[] | undefined {
  const list = (...args: string[]) =>
    execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean);
  const files = [
    ...list('diff', '--name-only', '--diff-filter=d', 'HEAD'),
    ...list('ls-files', '--others', '--exclude-standard'),
  ];
  return files.some((file) => CONFIGURATION.test(file)) ? undefined : files;
}

/**
 * Returns the command that checks the types of a project. It uses the native compiler, which is
 * several times faster, with a single checker, because the other stages need the CPU cores too.
 */
function typesOf(project: string): string {
  const build = `--incremental --tsBuildInfoFile ${CACHE}/${project.replaceAll('/', '-')}.tsbuildinfo`;
  return `node node_modules/typescript7/bin/tsc -p ${project} --noEmit --checkers 1 ${build}`;
}

/** ESLint's cache knows its configuration, but not the code of our own rules. */
function hashLintRules(): string {
  const hash = createHash('sha256');
  for (const file of ['eslint.config.js', ...globSync('test/lint/*.js').sort()])
    hash.update(readFileSync(file));
  return hash.digest('hex').slice(0, 12);
}
