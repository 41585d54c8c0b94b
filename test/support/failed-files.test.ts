import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { FAILED_FILES_VARIABLE, readFailures } from './failed-files.ts';

// Inside of the repository, so that the test files can import Playwright.
const ROOT = join(import.meta.dirname, '../..');
mkdirSync(join(ROOT, '.data'), { recursive: true });
const folder = mkdtempSync(join(ROOT, '.data/failed-files-'));
const list = join(folder, 'list.txt');
beforeEach(() => rmSync(list, { force: true }));
after(() => rmSync(folder, { recursive: true }));

const write = (name: string, text: string) => writeFileSync(join(folder, name), text);

/** Runs a test runner on the folder, and returns the names of the recorded files. */
function run(command: string, extraEnv = {}): string[] {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const options = { cwd: folder, env: { ...env, ...extraEnv, [FAILED_FILES_VARIABLE]: list } };
  const { status, stderr } = spawnSync(process.execPath, command.split(' '), options);
  assert.equal(status, 1, String(stderr));
  return readFailures(list).map((file) => basename(file));
}

test('node --test: records every file that failed, and no other', () => {
  const files = {
    'helper.js': `import { test } from 'node:test';
      export const failing = () => test('shared', () => { throw new Error(); });`,
    'in-helper.test.js': `import { failing } from './helper.js'; failing();`,
    'passes.test.js': `import { test } from 'node:test'; test('passes', () => {});
      test.todo('is not done', () => { throw new Error(); });`,
    'does-not-load.test.js': 'this is no script',
    'in-suite.test.js': `import { describe, before, test } from 'node:test';
      describe('suite', () => { before(() => { throw new Error(); }); test('is canceled', () => {}); });`,
    'last-hook.test.js': `import { after, test } from 'node:test'; test('passes', () => {});
      after(() => { throw new Error(); });`,
    'exits.test.js': `import { test } from 'node:test'; test('passes', () => {});
      process.on('exit', () => process.exit(3));`,
    'hangs.test.js': `import { test } from 'node:test';
      test('hangs', () => new Promise((resolve) => setTimeout(resolve, 5000)));`,
  };
  for (const [name, text] of Object.entries(files)) write(name, text);
  write('package.json', '{ "type": "module" }');
  const reporter = join(import.meta.dirname, 'failed-files-node-test.ts');
  const names = Object.keys(files).filter((name) => name.includes('.test.'));
  assert.deepEqual(
    run(`--test --test-timeout=4000 --test-reporter=${reporter} ${names.join(' ')}`),
    names.filter((name) => name !== 'passes.test.js').sort(),
  );
});

test('node --test: records nothing if the runner dies before all files have run', () => {
  write(
    'fails.test.js',
    `import { test } from 'node:test'; test('fails', () => { throw new Error(); });`,
  );
  write('kills.test.js', `process.kill(process.ppid, 'SIGKILL');`);
  write('package.json', '{ "type": "module" }');
  const reporter = join(import.meta.dirname, 'failed-files-node-test.ts');
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const options = ['--test', '--test-concurrency=1', `--test-reporter=${reporter}`];
  const { signal } = spawnSync(process.execPath, [...options, 'fails.test.js', 'kills.test.js'], {
    cwd: folder,
    env: { ...env, [FAILED_FILES_VARIABLE]: list },
  });
  assert.equal(signal, 'SIGKILL');
  assert.deepEqual(readFailures(list), []);
});

test('Playwright: records files that failed or did not run, nothing if the last project fails', () => {
  const body = (text: string) =>
    `import { test } from 'playwright/test'; test('a test', () => { ${text} });`;
  write('passes.spec.js', body(''));
  write('fails.spec.js', body("throw new Error('fails')"));
  write('skipped.spec.js', body('test.skip()'));
  write('depends.spec.js', body(''));
  write('last.spec.js', body("if (process.env['LAST_FAILS']) throw new Error('last')"));
  const reporter = join(import.meta.dirname, 'failed-files-playwright.ts');
  const projects = [
    { name: 'first', testMatch: /(passes|fails|skipped)\.spec/, teardown: 'last' },
    { name: 'second', testMatch: /depends\.spec/, dependencies: ['first'] },
    { name: 'last', testMatch: /last\.spec/ },
  ];
  const serializable = projects.map((project) => ({
    ...project,
    testMatch: project.testMatch.source,
  }));
  write(
    'playwright.config.js',
    `export default { workers: 1, reporter: [[${JSON.stringify(reporter)}]], projects: ${JSON.stringify(serializable)}
      .map((project) => ({ ...project, testMatch: new RegExp(project.testMatch) })) };`,
  );
  const command = `${join(ROOT, 'node_modules/playwright/cli.js')} test`;
  assert.deepEqual(run(command), ['depends.spec.js', 'fails.spec.js']);
  rmSync(list);
  assert.deepEqual(run(command, { LAST_FAILS: 'true' }), []);
});
