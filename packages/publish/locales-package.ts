import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { typeOfMessages } from './messages.ts';

/**
 * Replaces the JSON files with modules: Node 20 prints a warning when it imports JSON, and bundlers do
 * not agree on how it is imported.
 */
export function completeLocales(folder: string): void {
  for (const file of globSync('??.json', { cwd: folder })) {
    const text = readFileSync(join(folder, file), 'utf8');
    const module = join(folder, file.replace('.json', ''));
    writeFileSync(`${module}.js`, `export default ${text.trim()};\n`);
    const type = typeOfMessages(JSON.parse(text) as object);
    writeFileSync(`${module}.d.ts`, `declare const messages: ${type};\nexport default messages;\n`);
    rmSync(join(folder, file));
  }
  for (const file of ['catalog.js', 'catalog.d.ts']) {
    const text = readFileSync(join(folder, file), 'utf8');
    const rewritten = text.replace(/'\.\/(\w\w)\.json'(?: with \{[^}]+\})?/g, "'./$1.js'");
    writeFileSync(join(folder, file), rewritten);
  }
}
