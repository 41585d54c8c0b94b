/** `npm run check`: format, lint (with the import table) and types, at the same time. */
import { runTogether } from './support/stages.ts';

await runTogether([
  { name: 'prettier', command: 'prettier --check --log-level warn --cache .' },
  // No cache: a type changed in one file can make another file wrong.
  { name: 'eslint', command: 'eslint --max-warnings 0 .' },
  { name: 'types of the server rooms', command: typesOf('tsconfig.json', 'rooms') },
  { name: 'types of the elements', command: typesOf('packages/elements', 'elements') },
]);

/** The compiler itself knows which files a change can touch. */
function typesOf(project: string, name: string): string {
  const memory = `node_modules/.cache/types-${name}.tsbuildinfo`;
  return `tsc -p ${project} --noEmit --incremental --tsBuildInfoFile ${memory}`;
}
