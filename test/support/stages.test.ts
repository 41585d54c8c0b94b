import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { FAILED_FILES_VARIABLE } from './failed-files.ts';
import { NO_RETRY_EXIT_CODE } from './stages.ts';
import { HTTP_TESTS, UNIT_STAGES } from './unit-stages.ts';

const folder = mkdtempSync(join(tmpdir(), 'stages-'));
after(() => rmSync(folder, { recursive: true }));

/** Runs stages like `npm test`, in a child process, because a failed stage sets the exit code. */
function runStages(stages: object[], env: Record<string, string>) {
  const module = JSON.stringify(join(import.meta.dirname, 'stages.ts'));
  const script = `
    const stages = ${JSON.stringify(stages)};
    for (const stage of stages) {
      if (stage.retriable) stage.retryCommand = (files) => 'echo repeated ' + files.join(' ');
    }
    await (await import(${module})).runSequentially(stages);`;
  const run = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], ...env },
  });
  return { status: run.status, output: run.stdout + run.stderr };
}

/** Fails at its first run only, because `mkdir` fails if the folder exists. */
const failOnce = (name: string, before = '') =>
  `mkdir "${join(folder, name)}" && { ${before} exit 1; } || exit 0`;

/** A stage whose failed files run once more: `runStages` gives it a command that prints them. */
const retriable = (stage: { name: string; command: string }) => ({ ...stage, retriable: true });

test('in CI the failed files of a stage run once more, and are named at the end', () => {
  const record = `echo src/b.test.ts >> $${FAILED_FILES_VARIABLE}; echo src/a.test.ts >> $${FAILED_FILES_VARIABLE};`;
  const stage = retriable({ name: 'tests', command: failOnce('files', record.repeat(2)) });
  const { status, output } = runStages([stage], { CI: 'true' });
  assert.equal(status, 0, output);
  assert.match(output, /failed tests[\s\S]+repeated src\/a\.test\.ts src\/b\.test\.ts/);
  assert.match(output, /passed[\s\S]+Flaky: src\/a\.test\.ts[\s\S]+Flaky: src\/b\.test\.ts/);
});

test('in CI a stage that failed without a failed file runs once more as a whole', () => {
  const stage = retriable({ name: 'tests', command: failOnce('ci') });
  const { status, output } = runStages([stage], { CI: 'true' });
  assert.equal(status, 0, output);
  assert.match(output, /failed tests[\s\S]+ok +tests[\s\S]+Flaky: tests/);
});

test('outside of CI the first failure ends the run', () => {
  const stage = retriable({ name: 'tests', command: failOnce('here') });
  const { status, output } = runStages([stage, { name: 'later', command: 'exit 0' }], {});
  assert.equal(status, 1, output);
  assert.match(output, /tests failed. The stages after it did not run/);
});

test('a stage that fails twice fails, and a stage that checks money runs once', () => {
  const failing = retriable({ name: 'tests', command: 'exit 1' });
  assert.equal(runStages([failing], { CI: 'true' }).status, 1);
  const bytes = { name: 'bytes', command: failOnce('bytes') };
  assert.equal(runStages([bytes], { CI: 'true' }).status, 1);
  const money = `mkdir "${join(folder, 'money')}" && exit ${NO_RETRY_EXIT_CODE} || exit 0`;
  assert.equal(runStages([retriable({ name: 'money', command: money })], { CI: 'true' }).status, 1);
});

test('a second run of `node --test` gets the failed files only', () => {
  for (const { retryCommand } of [...UNIT_STAGES, HTTP_TESTS]) {
    if (!retryCommand) continue;
    const command = retryCommand(['server/a.test.ts', 'server/b.test.ts']);
    assert.match(command, / server\/a\.test\.ts server\/b\.test\.ts( |$)/);
    assert.doesNotMatch(command, /\*/, 'no glob of the first run');
  }
});
