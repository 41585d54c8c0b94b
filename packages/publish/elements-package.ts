import { cpSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeEditorData } from './editor-data.ts';
import { frameworkTypes } from './framework-types.ts';
import { readManifest } from './manifest.ts';
import { addMessages } from './messages.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Adds the manifest, the messages, types for frameworks, and data for editors. */
export async function completeElements(folder: string): Promise<void> {
  const manifest = readManifest();
  cpSync(
    join(ROOT, 'packages/elements/custom-elements.json'),
    join(folder, 'custom-elements.json'),
  );
  addMessages(folder);
  skipOnServer(join(folder, 'shared/define-once.js'));
  // Importing `define.js` also loads the types of the tags.
  writeFileSync(join(folder, 'define.d.ts'), `import './index.js';\nexport {};\n`);
  await writeEditorData(manifest, folder);
  cpSync(join(ROOT, 'packages/publish/types'), join(folder, 'types'), { recursive: true });
  writeFileSync(join(folder, 'types/elements.d.ts'), frameworkTypes(manifest));
  for (const file of globSync('types/*.d.ts', { cwd: folder })) {
    // An empty module, so that a plain import of the types also resolves at run time.
    writeFileSync(join(folder, file.replace('.d.ts', '.js')), 'export {};\n');
  }
}

/**
 * Adds the check for `customElements`, which servers lack. The browser bundle goes without it to
 * save bytes.
 */
function skipOnServer(file: string) {
  const text = readFileSync(file, 'utf8');
  const opening = /(function define\(elements\) \{)/;
  if (!opening.test(text)) throw new Error(`${file} defines in another way.`);
  writeFileSync(file, text.replace(opening, '$1\n    if (!globalThis.customElements) return;'));
}
