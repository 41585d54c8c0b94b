import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { parseResults } from '../conformance/results.ts';
import { FAILED_FILES_VARIABLE, readFailures } from './failed-files.ts';
import { PROCESS_TEST_FILES } from './process-tests.ts';
import { listFilesOfGroup, listTestGroups } from './test-groups.ts';

const ROOT = join(import.meta.dirname, '../..');
mkdirSync(join(ROOT, '.data'), { recursive: true });
// Inside of the repository, because test files are named relative to its root.
const folder = mkdtempSync(join(ROOT, '.data/test-groups-'));
mkdirSync(join(folder, 'test-groups'));
writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
const list = join(folder, 'list.txt');
beforeEach(() => rmSync(list, { force: true }));
after(() => rmSync(folder, { recursive: true }));

const pathOf = (name: string) => relative(ROOT, join(folder, name));

/** Runs test files with `node --test`, with the reporters of `npm test`. */
function run(paths: readonly string[]) {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const resultsFile = join(folder, 'results.jsonl');
  const reporters = [
    '--test-reporter=./test/support/failed-files-node-test.ts',
    '--test-reporter-destination=stdout',
    '--test-reporter=./test/conformance/results-reporter.ts',
    `--test-reporter-destination=${resultsFile}`,
  ];
  const { status } = spawnSync(process.execPath, ['--test', ...reporters, ...paths], {
    cwd: ROOT,
    env: { ...env, [FAILED_FILES_VARIABLE]: list },
  });
  return {
    status,
    failed: readFailures(list),
    results: parseResults(readFileSync(resultsFile, 'utf8')),
  };
}

/** Writes test files and runs them as one group. */
function runGroup(files: Record<string, string>, fileTimeoutMs = 60_000) {
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(
      join(folder, name),
      `import { after, before, describe, test } from 'node:test'; ${text}`,
    );
  }
  const module = JSON.stringify(join(import.meta.dirname, 'test-groups.ts'));
  const paths = JSON.stringify(Object.keys(files).map(pathOf));
  const group = pathOf('test-groups/group.js');
  writeFileSync(
    join(ROOT, group),
    `import { runTestFiles } from ${module}; await runTestFiles(${paths}, ${fileTimeoutMs});`,
  );
  return { group, ...run([group]) };
}

test('every test file of the API is in one group or starts a service', () => {
  const files = globSync('packages/{api,dashboard,donor-pages}/{src,test-support}/**/*.test.ts', {
    cwd: ROOT,
  });
  assert.ok(files.length > 100);
  assert.deepEqual(
    listTestGroups()
      .flatMap((group) => listFilesOfGroup(join(ROOT, group)))
      .concat(PROCESS_TEST_FILES.filter((file) => files.includes(file)))
      .sort(),
    files.sort(),
  );
  assert.deepEqual(
    PROCESS_TEST_FILES.filter((file) => !existsSync(join(ROOT, file))),
    [],
  );
});

test('a file starts after the hooks of the file before it, and its results are those of the file alone', () => {
  const file = (check: string) => `
    ${check}
    globalThis.open = true;
    before(() => { if (!globalThis.open) throw new Error('closed before the first test'); });
    after(() => { globalThis.open = false; });
    await new Promise((resolve) => setTimeout(resolve, 10));
    describe('suite', () => { test('in a suite', () => {}); });
    test('alone', () => {});
    test.skip('skipped', () => {});`;
  const files = {
    'first.test.js': file(''),
    'second.test.js': file("if (globalThis.open !== false) throw new Error('still open');"),
  };
  const { status, results } = runGroup(files);
  assert.equal(status, 0);
  const titles = ['suite › in a suite', 'alone', 'skipped'];
  assert.deepEqual(
    results.map(({ file, title }) => [file, title]),
    Object.keys(files).flatMap((name) => titles.map((title) => [pathOf(name), title])),
  );
  assert.deepEqual(results.slice(0, titles.length), run([pathOf('first.test.js')]).results);
});

test('a file may wait for timers that do not keep a process alive', () => {
  const { status, results } = runGroup({
    'waits.test.js': `test('waits', () => new Promise((resolve) => setTimeout(resolve, 50).unref()));`,
    'passes.test.js': `test('passes', () => {});`,
  });
  assert.equal(status, 0);
  assert.deepEqual(
    results.map(({ outcome }) => outcome),
    ['passed', 'passed'],
  );
});

test('the failed files of a group are recorded, and the others run', () => {
  const { status, failed, results } = runGroup({
    'fails.test.js': `test('fails', () => { throw new Error(); });`,
    'does-not-load.test.js': `test('does not run', () => {}); throw new Error();`,
    'last-hook.test.js': `test('passes', () => {}); after(() => { throw new Error(); });`,
    'passes.test.js': `test('is last', () => {}); test.todo('todo', () => { throw new Error(); });`,
  });
  assert.equal(status, 1);
  assert.deepEqual(
    failed,
    ['does-not-load.test.js', 'fails.test.js', 'last-hook.test.js'].map(pathOf),
  );
  assert.ok(results.some(({ title, outcome }) => title === 'is last' && outcome === 'passed'));
});

test('a group whose process ends before its last file is recorded as a whole', () => {
  const endings = ['process.exit(0)', 'process.exit(3)', "process.kill(process.pid, 'SIGKILL')"];
  for (const ending of endings) {
    const { status, failed, group } = runGroup({
      'fails.test.js': `test('fails', () => { throw new Error(); });`,
      // By then the runner knows that the file before it failed.
      'ends.test.js': `test('ends', () => new Promise(() => setTimeout(() => ${ending}, 500)));`,
      'passes.test.js': `test('passes', () => {});`,
    });
    assert.equal(status, 1, ending);
    assert.ok(failed.includes(group), ending);
    rmSync(list);
  }
});

test('an error outside a test is recorded with the group, also if another file failed', () => {
  const { status, failed, group } = runGroup({
    'fails.test.js': `test('fails', () => { throw new Error(); });`,
    'rejects.test.js': `test('passes', () => {});
      after(() => void setTimeout(() => void Promise.reject(new Error('late')), 10));`,
    'passes.test.js': `test('passes', () => new Promise((resolve) => setTimeout(resolve, 500)));`,
  });
  assert.equal(status, 1);
  assert.ok(failed.includes(group));
});

test('a file that never finishes loading fails after its timeout, and the next file runs', () => {
  const { status, failed, results } = runGroup(
    {
      'never-loads.test.js': 'await new Promise(() => {});',
      'passes.test.js': `test('passes', () => {});`,
    },
    1000,
  );
  assert.equal(status, 1);
  assert.ok(failed.includes(pathOf('never-loads.test.js')));
  assert.ok(results.some(({ title, outcome }) => title === 'passes' && outcome === 'passed'));
});
