import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folder of the modules that React Server Components import. */
export const CLIENT_FOLDER = 'client';

/**
 * Adds a module with `'use client'` for each module, so that Server Components can import the components.
 * The modules themselves are without it, because bundlers such as Vite warn of it in every build.
 */
export function completeReact(folder: string): void {
  mkdirSync(join(folder, CLIENT_FOLDER));
  for (const file of globSync('*.js', { cwd: folder })) {
    const names = [
      ...readFileSync(join(folder, file), 'utf8').matchAll(/^export .*?(Connect\w+)/gm),
    ];
    const list = names.map(([, name]) => name).join(', ');
    const text = `'use client';\nexport { ${list} } from '../${file}';\n`;
    writeFileSync(join(folder, CLIENT_FOLDER, file), text);
  }
}
