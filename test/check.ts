/**
 * `npm run check`: formatting, lint (with the import table), types, and lists in documents, in
 * parallel.
 */
import { runConcurrently } from './support/stages.ts';

await runConcurrently([
  { name: 'prettier', command: 'prettier --check --log-level warn --cache .' },
  { name: 'eslint', command: 'eslint --max-warnings 0 .' },
  { name: 'retired terms', command: 'node test/lint/retired-terms.ts' },
  { name: 'message catalog', command: 'node test/lint/message-catalog.ts' },
  // This stage uses no cache, because a changed type in one file can cause an error in another
  // file.
  { name: 'promises', command: 'oxlint --max-warnings 0' },
  {
    name: 'lists in documents',
    command: 'node --test test/docs/contributing.test.ts test/docs/dependencies.test.ts',
  },
  { name: 'types of the services', command: typesOf('tsconfig.json') },
  { name: 'types of the elements', command: typesOf('packages/elements') },
  { name: 'types of the React components', command: typesOf('packages/react') },
  { name: 'types of the workshop', command: typesOf('workshop') },
]);

/**
 * Returns the command that checks the types of a project. It uses the native compiler, which is
 * several times faster, with a single checker, because the other stages need the CPU cores too.
 */
function typesOf(project: string): string {
  return `node node_modules/typescript7/bin/tsc -p ${project} --noEmit --checkers 1`;
}
