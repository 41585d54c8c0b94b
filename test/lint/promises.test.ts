import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

const ROOT = join(import.meta.dirname, '../..');
const FLOATING = 'const later = () => Promise.resolve(true); later(); export {};\n';
const SUPPORT = 'packages/elements/src/test-support/wait-until.ts';

test('a promise that nobody handles is reported, but not in tests of the elements', () => {
  const cwd = mkdtempSync(join(tmpdir(), 'connect-lint-'));
  cpSync(join(ROOT, '.oxlintrc.json'), join(cwd, '.oxlintrc.json'));
  writeFileSync(join(cwd, 'tsconfig.json'), '{}');
  for (const file of ['server/a.ts', 'packages/elements/src/chai.test.ts', SUPPORT]) {
    mkdirSync(join(cwd, dirname(file)), { recursive: true });
    writeFileSync(join(cwd, file), FLOATING);
  }
  const oxlint = join(ROOT, 'node_modules/oxlint/bin/oxlint');
  const { stdout } = spawnSync(process.execPath, [oxlint, '--format=unix'], { cwd });
  rmSync(cwd, { recursive: true });
  const found = String(stdout).match(/^\S+?(?=:\d.*no-floating-promises)/gm);
  assert.deepEqual(found?.toSorted(), [SUPPORT, 'server/a.ts']);
});
