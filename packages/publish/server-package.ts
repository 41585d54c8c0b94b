import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPackageJson } from './workspace.ts';

const ROOT = join(import.meta.dirname, '../..');
const DIST = join(ROOT, 'packages/elements/dist');

/**
 * Adds the built scripts twice: as a folder for Node and as a module for workers, which have no files.
 */
export function completeServer(folder: string): void {
  if (!existsSync(join(DIST, 'connect.js'))) throw new Error('Run `npm run build` first.');
  const { version } = readPackageJson('packages/elements');
  const texts: Record<string, string> = {};
  mkdirSync(join(folder, 'dist'));
  for (const file of globSync('{*.js,integrity.json}', { cwd: DIST }).sort()) {
    texts[file] = readFileSync(join(DIST, file), 'utf8');
    writeFileSync(join(folder, 'dist', file), texts[file]);
  }
  writeFileSync(
    join(folder, 'built-scripts.js'),
    `import { fileURLToPath } from 'node:url';

export const SCRIPTS_FOLDER = fileURLToPath(new URL('dist', import.meta.url));
export const SCRIPTS_VERSION = ${JSON.stringify(version)};
`,
  );
  writeFileSync(
    join(folder, 'scripts.js'),
    `import { createScripts } from './scripts/script-source.js';

export const scripts = createScripts(${JSON.stringify(texts)}, ${JSON.stringify(version)});
`,
  );
  writeFileSync(
    join(folder, 'scripts.d.ts'),
    `import type { Scripts } from './scripts/script-source.js';

/** The built scripts as part of the program, for \`createConnectServer\` in a worker. */
export declare const scripts: Scripts;
`,
  );
}
