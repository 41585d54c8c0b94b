import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { LIBRARIES } from '../packages.ts';
import { InstalledSite } from './installed-site.ts';

const site = new InstalledSite(['hono', 'react', 'react-dom']);
after(() => site.remove());

/** Runs a module in plain Node, in the folder of the site. */
function run(text: string, options: string[] = []): string {
  writeFileSync(join(site.folder, 'page.mjs'), text);
  return execFileSync(process.execPath, [...options, 'page.mjs'], {
    cwd: site.folder,
    encoding: 'utf8',
  }).trim();
}

const entryPoints = (name: string) => {
  const file = join(site.folder, 'node_modules/@connect-embed', name, 'package.json');
  const { exports } = JSON.parse(readFileSync(file, 'utf8')) as {
    exports: Record<string, unknown>;
  };
  return Object.keys(exports)
    .filter((entryPoint) => !entryPoint.endsWith('.json'))
    .map((entryPoint) => `@connect-embed/${name}${entryPoint.slice(1)}`);
};

describe('on a server, without a window', () => {
  for (const name of LIBRARIES) {
    test(`every module of @connect-embed/${name} can be imported`, () => {
      const imports = entryPoints(name).map((entryPoint) => `await import('${entryPoint}');`);
      assert.ok(imports.length > 0);
      assert.equal(run(`${imports.join('\n')}\nconsole.log(typeof window);`), 'undefined');
    });
  }

  test('a Server Component of React imports every component as a client module', () => {
    for (const entryPoint of entryPoints('react')) {
      const resolve = (conditions: string[]) =>
        run(`console.log(import.meta.resolve('${entryPoint}'));`, conditions);
      const file = fileURLToPath(resolve(['--conditions=react-server']));
      assert.match(readFileSync(file, 'utf8'), /^'use client';\n/);
      const names = `const names = async (file) => Object.keys(await import(file)).join();`;
      const client = `${names} console.log(await names('${file}'));`;
      assert.equal(run(client), run(`${names} console.log(await names('${entryPoint}'));`));
    }
  });

  test('a React component renders its bare tag with its children', () => {
    const html = run(`
      import { createElement } from 'react';
      import { renderToString } from 'react-dom/server';
      import { ConnectDonate } from '@connect-embed/react';
      const link = createElement('a', { href: '/give' }, 'Give');
      const form = createElement(ConnectDonate, { id: 'meals', amount: '50' }, link);
      console.log(renderToString(form));`);
    // Properties are set in the browser.
    assert.equal(
      html.trim(),
      '<connect-donate id="meals"><a href="/give">Give</a></connect-donate>',
    );
  });
});
