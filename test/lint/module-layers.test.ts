import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { Linter } from 'eslint';
import { layersRule, MODULE_LAYERS } from './module-layers.js';

const root = join(import.meta.dirname, '../..');
const linter = new Linter({ cwd: root });

const LAYERS = { lib: '', db: '', 'app.ts': '' };

/** Reports the problems of one module of `packages/shop/src`, whose layers are `lib`, `db`, `app.ts`. */
const problemsOf = (file: string, text: string): string[] =>
  linter
    .verify(
      text,
      {
        files: ['**/*.js'],
        plugins: {
          workspace: {
            rules: { layers: layersRule({ 'packages/shop/src': LAYERS }, root) },
          },
        },
        rules: { 'workspace/layers': 'error' },
      },
      { filename: join(root, 'packages/shop/src', file) },
    )
    .map(({ message }) => message);

describe('the layers of modules', () => {
  test('allow imports of the same layer and of lower layers', () => {
    assert.deepEqual(
      problemsOf('db/pool.js', `import '../lib/id.js'; import './list.js'; import 'node:fs';`),
      [],
    );
  });

  for (const text of [
    `import { open } from '../db/pool.js';`,
    `export { open } from '../db/pool.js';`,
    `export * from '../db/pool.js';`,
    `await import('../db/pool.js');`,
    `import '../app.ts';`,
  ]) {
    test(`reject an import of a higher layer: ${text}`, () => {
      const [problem] = problemsOf('lib/id.js', text);
      assert.match(problem ?? '', /^lib is in a lower layer than (?:db|app\.ts)/);
    });
  }

  test('reject a file outside of the modules', () => {
    assert.match(problemsOf('payments/a.js', '')[0] ?? '', /^payments is not a module/);
  });

  for (const [folder, layers] of Object.entries(MODULE_LAYERS)) {
    const modules = Object.keys(layers);
    test(`name every module of ${folder}, at most 22 of them, and at most 6 files in its root`, () => {
      const names = readdirSync(join(root, folder)).filter((name) => !name.endsWith('.test.ts'));
      assert.deepEqual(names.toSorted(), modules.toSorted());
      assert.ok(modules.length <= 22);
      assert.ok(modules.filter((name) => name.endsWith('.ts')).length <= 6);
    });
  }
});
