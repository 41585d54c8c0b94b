import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '../..');
const SERVICES = [
  'packages/cli/src/service/main.ts',
  'packages/sandbox/src/main.ts',
  'packages/cli/src/server/main.ts',
];

const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};
// Our own scripts; other programs have their own help.
const commands = Object.values(scripts)
  .flatMap((script) => [...script.matchAll(/node ((?:\S+ -- node )?\S+\.ts)/g)])
  .map(([, file = '']) => file.split(' ').at(-1) ?? '')
  .filter((file) => file !== 'test/support/with-browser.ts');

describe('every command supports --help', () => {
  for (const file of new Set([...commands, ...SERVICES, 'demo/main.ts'])) {
    test(file, async () => {
      const folder = mkdtempSync(join(tmpdir(), 'connect-help-'));
      const env = { ...process.env, DATA_DIR: folder };
      const run = promisify(execFile)(process.execPath, [file, '--help'], { cwd: ROOT, env });
      const { stdout, stderr } = await run;
      // A description, not the results of a command that ignores the option.
      assert.match(stdout, /^(?:npm |node |Usage: |[A-Z][a-z]+s (?!:)).{10}/);
      assert.ok(stdout.length > 40, stdout);
      assert.doesNotMatch(stdout, /undefined|\[object/);
      assert.equal(stderr, '');
      assert.deepEqual(readdirSync(folder), [], 'and does nothing');
      rmSync(folder, { recursive: true });
    });
  }
});
