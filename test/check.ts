/**
 * `npm run check`: formatting, lint (with the import table), types, and lists in documents, in
 * parallel. Formatting, lint and types look again only at what has changed since the last run.
 */
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { runConcurrently } from './support/stages.ts';

const CACHE = 'node_modules/.cache/check';

await runConcurrently([
  { name: 'prettier', command: 'prettier --check --log-level warn --cache .' },
  {
    name: 'eslint',
    command: `eslint --max-warnings 0 --cache --cache-strategy content --cache-location ${CACHE}/eslint-${hashLintRules()} .`,
  },
  { name: 'retired terms', command: 'node test/lint/retired-terms.ts' },
  { name: 'message catalog', command: 'node test/lint/message-catalog.ts' },
  // It has no cache: a changed type in one file can cause an error in another.
  { name: 'promises', command: 'oxlint --max-warnings 0' },
  {
    name: 'lists in documents',
    command: 'node --test test/docs/contributing.test.ts test/docs/dependencies.test.ts',
  },
  { name: 'types of the services', command: typesOf('tsconfig.json') },
  { name: 'types of the elements', command: typesOf('packages/elements') },
  { name: 'types of the React components', command: typesOf('packages/react') },
  { name: 'types of the workshop', command: typesOf('workshop') },
  { name: 'types of the docs site', command: typesOf('site') },
]);

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
