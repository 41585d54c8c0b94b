import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';

const ROOT = join(import.meta.dirname, '../../..');

/** Blocks of the docs that install tarballs, each with the page that has it. */
const blocks = ['adopting.md', 'recipes.md'].flatMap((page) => {
  const text = readFileSync(join(ROOT, 'docs', page), 'utf8');
  const codes = [...text.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block]) => block!);
  return codes
    .filter((block) => block.includes('npm install $PACKAGES'))
    .map((block) => ({ page, block }));
});

describe('an installation as in the docs', () => {
  test('is in three places', () => assert.equal(blocks.length, 3));

  for (const { page, block } of blocks) {
    const names = [...block.matchAll(/connect-embed-([a-z]+)-\d/g)].map(([, name]) => name!);
    test(`installs ${names.join(', ')}, which a program can import: ${page}`, (t) => {
      const folder = mkdtempSync(join(tmpdir(), 'connect-install-'));
      t.after(() => rmSync(folder, { recursive: true }));
      // Where the docs say that the clone is.
      symlinkSync(ROOT, join(folder, 'connect-embed'));
      const cwd = join(folder, 'project');
      mkdirSync(cwd);
      writeFileSync(join(cwd, 'package.json'), '{ "private": true, "type": "module" }');
      const env = {
        ...process.env,
        PACKAGES: '../connect-embed/dist/packages',
        npm_config_prefer_offline: 'true',
      };
      execFileSync('sh', ['-ec', block], { cwd, env, stdio: 'pipe' });
      const imports = names.map((name) => `import '@connect-embed/${name}';`).join('');
      execFileSync(process.execPath, ['--input-type=module', '-e', imports], { cwd });
    });
  }
});
