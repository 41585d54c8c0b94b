import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { InstalledSite } from './installed-site.ts';

const site = new InstalledSite(['react']);
after(() => site.remove());

/** Bundles one line as a user of the package would. Returns the files and their modules. */
async function bundle(name: string, text: string) {
  const entry = join(site.folder, `${name}.js`);
  writeFileSync(entry, text);
  const result = await build({
    configFile: false,
    root: site.folder,
    logLevel: 'error',
    build: { write: false, minify: true, rolldownOptions: { input: entry, external: ['react'] } },
  });
  const [bundled] = [result].flat();
  if (!bundled || !('output' in bundled)) throw new Error(`${name} produced no file.`);
  const chunks = bundled.output.filter((file) => file.type === 'chunk');
  return {
    modules: chunks.flatMap(({ moduleIds }) => moduleIds),
    entryBytes: chunks.find(({ isEntry }) => isEntry)?.code.length ?? 0,
  };
}

const elementsIn = (modules: string[]) =>
  [...new Set(modules.map((id) => /elements\/(connect-\w+)\.js$/.exec(id)?.[1]))]
    .filter(Boolean)
    .sort();

describe('importing one element', () => {
  test('adds no other element to the page', async () => {
    const form = await bundle('form', `import '@connect-embed/elements/define/connect-donate.js';`);
    assert.deepEqual(elementsIn(form.modules), ['connect-donate']);
    const table = await bundle(
      'table',
      `import '@connect-embed/elements/define/connect-payouts.js';`,
    );
    assert.deepEqual(elementsIn(table.modules), ['connect-payouts', 'connect-provider']);
    console.log(`entry bytes, minified: form ${form.entryBytes}, payouts ${table.entryBytes}`);
  });

  test('adds no other element when imported by name', async () => {
    const text = `import { ConnectDonate } from '@connect-embed/elements'; console.log(ConnectDonate);`;
    assert.deepEqual(elementsIn((await bundle('name', text)).modules), ['connect-donate']);
  });

  test('adds no other element as a React component', async () => {
    const text = `import { ConnectDonate } from '@connect-embed/react'; console.log(ConnectDonate);`;
    assert.deepEqual(elementsIn((await bundle('react', text)).modules), ['connect-donate']);
  });

  test('adds no schema to the page', async () => {
    const { modules } = await bundle('all', `import '@connect-embed/elements/define.js';`);
    assert.ok(elementsIn(modules).length > 4);
    assert.deepEqual(
      modules.filter((id) => /\/zod\//.test(id)),
      [],
    );
  });

  test('registers nothing when only the class is imported', async () => {
    const { modules } = await bundle(
      'class',
      `import { ConnectDonate } from '@connect-embed/elements/connect-donate.js'; console.log(ConnectDonate);`,
    );
    assert.deepEqual(
      modules.filter((id) => /define/.test(id)),
      [],
    );
  });
});
