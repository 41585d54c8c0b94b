import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { sql } from 'kysely';
import { MINIMAL_ENV } from '../../test-support/processes/processes.ts';
import { runCommand } from '../../test-support/processes/run-command.ts';
import { startApi } from '../../test-support/app/start-api.ts';
import { requireSameSecret } from '../db/installation.ts';

const CLI = join(import.meta.dirname, '../../../cli/src/main.ts');
const OLD_SECRET = 'an old secret of thirty-two characters';
const NEW_SECRET = 'a new secret of thirty-two characters';

const { db, pool } = await startApi();
const url = String(pool.options.connectionString);

const envOf = (secret: string) => ({ DATABASE_URL: url, API_SECRET: secret });
const run = (secret: string, ...args: string[]) => runCommand(envOf(secret), ...args);

/** Runs a command in a process of its own. */
const runProcess = (secret: string, ...args: string[]) =>
  new Promise<{ code: number; output: string }>((resolve) => {
    const env = { ...MINIMAL_ENV, ...envOf(secret) };
    execFile(process.execPath, [CLI, ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), output: stdout + stderr }),
    );
  });

test('a command does not migrate the database of another release', async () => {
  const rename = (from: string, to: string) =>
    sql`update kysely_migration set name = ${to} where name = ${from}`.execute(db);
  await rename('0001-baseline', '0000-earlier');
  for (const args of [['people', 'list'], ['organizations', 'list'], ['keys', 'list'], ['seed']]) {
    const { code, stderr } = await run(OLD_SECRET, ...args);
    assert.equal(code, 1, stderr);
    assert.match(stderr, /^The database is empty or of another release\. .*\n$/);
  }
  await rename('0000-earlier', '0001-baseline'); // Fails if a command has added the migration.
  assert.equal((await run(OLD_SECRET, 'people', 'list')).code, 0);
});

test('secret rotate encrypts the database with the new secret', async () => {
  assert.equal((await run(OLD_SECRET, 'secret', 'replace', '--yes')).code, 0);
  const { code, stdout, stderr } = await run(`${NEW_SECRET},${OLD_SECRET}`, 'secret', 'rotate');
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^Encrypted \d+ values with the first secret in API_SECRET\.\n/);
  await requireSameSecret(db, [NEW_SECRET]);
  await assert.rejects(requireSameSecret(db, [OLD_SECRET]));
  const again = await runProcess(OLD_SECRET, 'secret', 'rotate');
  assert.equal(again.code, 1);
  assert.ok(!again.output.includes(OLD_SECRET) && !again.output.includes('    at '), again.output);
});
