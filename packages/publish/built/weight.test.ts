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
  const first = chunks.find(({ isEntry }) => isEntry)!;
  return {
    modules: chunks.flatMap(({ moduleIds }) => moduleIds),
    /** The modules that load with the page, without those that load on demand. */
    firstModules: chunks
      .filter((chunk) => chunk === first || first.imports.includes(chunk.fileName))
      .flatMap(({ moduleIds }) => moduleIds),
    entryBytes: first.code.length,
  };
}

/** A form that shows the goal of its campaign loads the meter on demand. */
const FORM_ELEMENTS = ['connect-donate', 'connect-goal'];

const elementsIn = (modules: string[]) =>
  [...new Set(modules.map((id) => /elements\/(connect-\w+)\.js$/.exec(id)?.[1]))]
    .filter(Boolean)
    .sort();

describe('importing one element', () => {
  test('adds no other element to the page', async () => {
    const form = await bundle('form', `import '@connect-embed/elements/define/connect-donate.js';`);
    assert.deepEqual(elementsIn(form.modules), FORM_ELEMENTS);
    assert.deepEqual(elementsIn(form.firstModules), ['connect-donate']);
    const table = await bundle(
      'table',
      `import '@connect-embed/elements/define/connect-payouts.js';`,
    );
    assert.deepEqual(elementsIn(table.modules), ['connect-payouts', 'connect-provider']);
    console.log(`entry bytes, minified: form ${form.entryBytes}, payouts ${table.entryBytes}`);
  });

  test('adds no other element when imported by name', async () => {
    const text = `import { ConnectDonate } from '@connect-embed/elements'; console.log(ConnectDonate);`;
    assert.deepEqual(elementsIn((await bundle('name', text)).modules), FORM_ELEMENTS);
  });

  test('adds no other element as a React component', async () => {
    const text = `import { ConnectDonate } from '@connect-embed/react'; console.log(ConnectDonate);`;
    assert.deepEqual(elementsIn((await bundle('react', text)).modules), FORM_ELEMENTS);
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
    const { firstModules } = await bundle(
      'class',
      `import { ConnectDonate } from '@connect-embed/elements/connect-donate.js'; console.log(ConnectDonate);`,
    );
    assert.deepEqual(
      firstModules.filter((id) => /define/.test(id)),
      [],
    );
  });
});
