import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, test } from 'node:test';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import readOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';
import { MODULE_LAYERS } from './module-layers.ts';

const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'connect-layers-'));
after(() => rmSync(folder, { recursive: true }));

// The files have no tsconfig.json.
const { tsConfig: _, ...options } = await readOptions(join(root, '.dependency-cruiser.js'));

/** Checks files of `packages`, by path below it, and returns the rules that they break. */
async function brokenRules(files: Record<string, string>): Promise<string[]> {
  rmSync(join(folder, 'packages'), { recursive: true, force: true });
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, 'packages', path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  const { output } = await cruise(['packages'], {
    ...options,
    baseDir: folder,
  });
  return (output as ICruiseResult).summary.violations.map(({ rule }) => rule.name);
}

describe('the layers of modules', () => {
  const POOL = { 'api/src/db/pool.ts': 'export const open = 1; export type Pool = 1;' };

  test('allow imports of the same layer and of lower layers', async () => {
    const list = `import './pool.ts'; import '../lib/id.ts'; import 'node:fs';`;
    const files = { ...POOL, 'api/src/db/list.ts': list, 'api/src/lib/id.ts': '' };
    assert.deepEqual(await brokenRules(files), []);
  });

  for (const text of [
    `import { open } from '../db/pool.ts';`,
    `import type { Pool } from '../db/pool.ts';`,
    `export { open } from '../db/pool.ts';`,
    `export * from '../db/pool.ts';`,
    `await import('../db/pool.ts');`,
    `export type Pool = import('../db/pool.ts').Pool;`,
  ]) {
    test(`reject an import of a higher layer: ${text}`, async () => {
      const files = { ...POOL, 'api/src/lib/id.ts': text };
      assert.deepEqual(await brokenRules(files), ['packages/api/src/lib']);
    });
  }

  test('reject a page in the framework of pages', async () => {
    const files = {
      'dashboard/src/pages/table.ts': `import '../home/home.ts';`,
      'dashboard/src/home/home.ts': '',
    };
    assert.deepEqual(await brokenRules(files), ['the framework of pages']);
  });

  test('reject folders of pages that import each other', async () => {
    const files = {
      'dashboard/src/donors/donors.ts': `import '../events/labels.ts';`,
      'dashboard/src/donors/name.ts': '',
      'dashboard/src/events/labels.ts': '',
      'dashboard/src/events/events.ts': `import type {} from '../donors/name.ts';`,
    };
    const rules = await brokenRules(files);
    assert.deepEqual(rules, ['circles of folders', 'circles of folders']);
  });

  for (const [source, layers] of Object.entries(MODULE_LAYERS)) {
    const modules = Object.keys(layers);
    test(`name every module of ${source}, at most 22 of them, and at most 6 files in its root`, () => {
      const names = readdirSync(join(root, source)).filter((name) => !name.endsWith('.test.ts'));
      assert.deepEqual(names.toSorted(), modules.toSorted());
      assert.ok(modules.length <= 22);
      assert.ok(modules.filter((name) => name.endsWith('.ts')).length <= 6);
    });
  }

  test('have only the entry beside the folders of the dashboard', () => {
    const entries = readdirSync(join(root, 'packages/dashboard/src'), { withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
    assert.deepEqual(files, ['routes.test.ts', 'routes.ts']);
  });
});
