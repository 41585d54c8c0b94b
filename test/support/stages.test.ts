import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { NO_RETRY_EXIT_CODE } from './stages.ts';

const folder = mkdtempSync(join(tmpdir(), 'stages-'));
after(() => rmSync(folder, { recursive: true }));

/** Runs stages like `npm test`, in a child process, because a failed stage sets the exit code. */
function runStages(stages: object[], env: Record<string, string>) {
  const module = JSON.stringify(join(import.meta.dirname, 'stages.ts'));
  const script = `(await import(${module})).runSequentially(${JSON.stringify(stages)})`;
  const run = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], ...env },
  });
  return { status: run.status, output: run.stdout + run.stderr };
}

/** Fails at its first run only, because `mkdir` fails if the folder exists. */
const failOnce = (name: string) => `mkdir "${join(folder, name)}" && exit 1 || exit 0`;

test('in CI a failed stage of tests runs once more, and is reported at the end', () => {
  const stage = { name: 'tests', command: failOnce('ci'), isRetriable: true };
  const { status, output } = runStages([stage], { CI: 'true' });
  assert.equal(status, 0, output);
  assert.match(output, /failed tests[\s\S]+ok +tests[\s\S]+Flaky: tests/);
});

test('outside of CI the first failure ends the run', () => {
  const stage = { name: 'tests', command: failOnce('here'), isRetriable: true };
  const { status, output } = runStages([stage, { name: 'later', command: 'exit 0' }], {});
  assert.equal(status, 1, output);
  assert.match(output, /tests failed. The stages after it did not run/);
});

test('a stage that fails twice fails, and a stage that checks money runs once', () => {
  const failing = { name: 'tests', command: 'exit 1', isRetriable: true };
  assert.equal(runStages([failing], { CI: 'true' }).status, 1);
  const bytes = { name: 'bytes', command: failOnce('bytes') };
  assert.equal(runStages([bytes], { CI: 'true' }).status, 1);
  const money = `mkdir "${join(folder, 'money')}" && exit ${NO_RETRY_EXIT_CODE} || exit 0`;
  const stage = { name: 'money', command: money, isRetriable: true };
  assert.equal(runStages([stage], { CI: 'true' }).status, 1);
});
