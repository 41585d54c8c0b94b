import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { after, test } from 'node:test';
import {
  openTestServer,
  serverEnvironment,
} from '@connect-embed/api/test-support/database/database-server';
import { DEFECTS } from './defects.ts';

const MAIN = join(import.meta.dirname, 'main.ts');

// Its processes are paused, which would delay tests that use the same server.
const server = await openTestServer(undefined);
after(server.close);
const env = { ...process.env, ...serverEnvironment(server) };

/** Runs the command. A simulation replaces the clock of its process, so it needs one of its own. */
const simulate = (...args: string[]) =>
  new Promise<{ exitCode: number; output: string }>((resolve) => {
    execFile(process.execPath, [MAIN, ...args], { env }, (error, stdout, stderr) => {
      const exitCode = error ? Number(error.code ?? 1) : 0;
      resolve({ exitCode, output: stdout + (exitCode > 1 || stdout === '' ? stderr : '') });
    });
  });

test('no donation is lost, doubled or shown wrongly', async (t) => {
  const { exitCode, output } = await simulate('--donors', '200', '--seed', '1');
  assert.equal(exitCode, 0, output);
  t.diagnostic(output);
  const [, donations, crashes] = /(\d+) donations, .* (\d+) crashes/.exec(output)!.map(Number);
  assert.ok(donations! > 120, 'few donors have donated');
  assert.ok(crashes! > 10, 'few processes have crashed');
});

/** Simulates the histories from the seed `first` to `seed`. @returns what is printed of the last one */
async function hashOfSeed(seed: number, donors: number, first = seed): Promise<string> {
  const { output } = await simulate(
    ...['--seed', String(first), '--donors', String(donors * (seed - first + 1))],
    ...['--history', String(donors), '--workers', '1', '--verbose'],
  );
  return new RegExp(`^seed ${seed}: .*$`, 'm').exec(output)?.[0] ?? assert.fail(output);
}

test('a seed determines every operation, also after other histories', async () => {
  const expected = await hashOfSeed(103, 20);
  assert.match(expected, /\d+ donations, \d+ operations, \d+ crashes, [\da-f]{16}$/);
  assert.equal(await hashOfSeed(103, 20, 101), expected);
});

test('a seed determines in which order statements get the lock for which they wait', async () => {
  const [first, second] = await Promise.all([hashOfSeed(77_002, 160), hashOfSeed(77_002, 160)]);
  assert.equal(first, second);
});

for (const [name, { description }] of Object.entries(DEFECTS)) {
  test(`it finds that ${description}, and again with the seed that it prints`, async () => {
    const { exitCode, output } = await simulate('--donors', '400', '--seed', '3', '--defect', name);
    assert.equal(exitCode, 1, output);
    const [, command] = /^Repeat it: npm run simulate -- (.*)$/m.exec(output) ?? [];
    const failure = /^Seed (\d+) failed after \d+ operations/m.exec(output)![0];
    const repeated = await simulate(...command!.split(' '));
    assert.equal(repeated.exitCode, 1, repeated.output);
    assert.ok(repeated.output.includes(failure), `${failure}\n${repeated.output}`);
  });
}

test('wrong options are named', async () => {
  assert.match((await simulate('--donors', '0')).output, /^--donors must be a whole number from 1/);
  assert.match(
    (await simulate('--defect', 'x')).output,
    /^--defect must be one of no-transactions/,
  );
});
