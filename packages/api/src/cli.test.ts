import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { MINIMAL_ENV, startServerProcess } from '../test-support/processes/processes.ts';
import { runCommand, type CommandResult } from '../test-support/processes/run-command.ts';
import { startEmbedded } from './db/embedded.ts';
import { removeEmbedded } from './db/embedded/remove-embedded.ts';

const CLI = join(import.meta.dirname, '../../cli/src/main.ts');
const MAIN = join(import.meta.dirname, '../../cli/src/service/main.ts');

const dataDir = await mkdtemp(join(tmpdir(), 'connect-cli-'));
// If root runs the test, PostgreSQL runs as a system user, who must be able to enter this folder.
await chmod(dataDir, 0o711);
after(() => removeEmbedded(dataDir));

const run = (...args: string[]) => runCommand({ DATA_DIR: dataDir }, ...args);

/** Runs a command in a process of its own, which starts and stops a database server if none is running. */
const runProcess = (...args: string[]): Promise<CommandResult> =>
  new Promise((resolve) => {
    const env = { ...MINIMAL_ENV, DATA_DIR: dataDir };
    execFile(process.execPath, [CLI, ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });

const CREATE_KEY = ['keys', 'create', '--name', 'A site', '--scopes'];
const createOrganization = (...args: string[]) =>
  run('organizations', 'create', '--account', 'acct_own', '--name', 'Own House', ...args);
const parseKey = ({ stdout }: CommandResult) => /^gb_live_[\w-]{43}$/m.exec(stdout)?.[0] ?? '';
const parseKeyId = ({ stdout }: CommandResult) => /^key_\w+/.exec(stdout)?.[0] ?? '';

describe('npm run connect', () => {
  test('works with and without a running service', async () => {
    const result = await runProcess(...CREATE_KEY, 'all');
    assert.match(result.stderr, /No organizations yet.*connect-embed seed/);
    assert.equal(result.code, 1);
    const link = /^http:\/\/localhost:4000\/setup\?token=gb_setup_[\w-]{43}$/m;
    assert.match((await run('setup-link')).stdout, link);
    const empty = await startServerProcess(MAIN, { API_PORT: '0', DATA_DIR: dataDir });
    assert.ok((await run('setup-link')).stdout.includes(`\n${empty.url}/setup?token=`));
    await empty.stop();
    assert.ok((await run('setup-link')).stdout.includes(`\n${empty.url}/setup?token=`));
    assert.equal((await run('seed')).stdout, 'Seeded.\n');
    assert.match((await run('setup-link')).stderr, /is set up already\. Sign in at/);
    const resultBefore = await runProcess(...CREATE_KEY, 'donations:read,donors:read');
    assert.equal(resultBefore.code, 0);

    const serverProcess = await startServerProcess(MAIN, { API_PORT: '0', DATA_DIR: dataDir });
    const fetchStatus = async (key: string, path = '/donations') =>
      (
        await fetch(`${serverProcess.url}/api/v1${path}`, {
          headers: { authorization: `Bearer ${key}` },
        })
      ).status;
    assert.equal(await fetchStatus(parseKey(resultBefore)), 200);
    assert.equal(await fetchStatus(parseKey(resultBefore), '/payouts'), 403);

    const resultWhileRunning = await run(
      ...CREATE_KEY,
      'all',
      '--organization',
      'org_lantern',
      '--json',
    );
    const { id, organization_id, key } = JSON.parse(resultWhileRunning.stdout) as Record<
      string,
      string
    >;
    assert.equal(organization_id, 'org_lantern');
    assert.equal(await fetchStatus(key!, '/payouts'), 200);

    assert.equal((await run('keys', 'revoke', id!)).stdout, `Revoked ${id}.\n`);
    assert.equal(await fetchStatus(key!), 401);
    assert.equal(await fetchStatus(parseKey(resultBefore)), 200);
    assert.match((await run('keys', 'revoke', id!)).stderr, /No valid API key has the ID key_/);

    const listed = (await run('keys', 'list')).stdout;
    assert.match(listed, new RegExp(`${id}\torg_lantern\t.*revoked`));
    assert.match(
      listed,
      new RegExp(`${parseKeyId(resultBefore)}\torg_harbor\t.*valid\tA site\tdonations:read`),
    );
    assert.ok(!listed.includes('gb_live_'));
    const listedKeys = await run('keys', 'list', '--organization', 'org_harbor');
    assert.equal(listedKeys.stdout.trim().split('\n').length, 1);

    // A second service process cannot use the same data folder, but a CLI command can.
    await assert.rejects(
      startServerProcess(MAIN, { API_PORT: '0', DATA_DIR: dataDir }),
      /ended with 1/,
    );
    assert.match((await run('migrate')).stdout, /All migrations are applied/);
    assert.match((await run('seed')).stdout, /Nothing was changed/);
    const foreign = await run(...CREATE_KEY, 'all', '--organization', 'org_x');
    assert.match(foreign.stderr, /No organization has the ID org_x\. .*org_harbor, org_lantern/);
    assert.equal(await serverProcess.stop(), 0);
  });

  test('prints its usage with --help', async () => {
    const results = [
      await runProcess('--help'),
      await run('keys', '--help'),
      await run('keys', 'create', '--help'),
    ];
    for (const { code, stdout } of results) {
      assert.equal(code, 0);
      assert.match(stdout, /^Usage: connect/);
    }
  });

  for (const [description, args, expectedError] of [
    [
      'an unknown scope',
      [...CREATE_KEY, 'donations:raed'],
      /"donations:raed" is not a scope. Use donations:read/,
    ],
    ['no scopes', [...CREATE_KEY, ''], /is not a scope/],
    ['no name', ['keys', 'create', '--scopes', 'all'], /required option '--name/],
    ['an empty name', ['keys', 'create', '--name', ' ', '--scopes', 'all'], /1 to 100 characters/],
    ['an unknown command', ['kyes'], /unknown command 'kyes'/],
  ] as const) {
    test(`rejects ${description} and names the fix`, async () => {
      const { code, stderr } = await run(...args);
      assert.equal(code, 1);
      assert.match(stderr, expectedError);
    });
  }

  test('creates an organization that can be used at once, and explains invalid input', async () => {
    // A server that runs already, because every command would start and stop its own.
    await using resources = new AsyncDisposableStack();
    resources.defer((await startEmbedded({ dataDir })).stop);
    const created = await createOrganization('--slug', 'own-house', '--currency', 'EUR', '--json');
    assert.equal(created.code, 0, created.stderr);
    const { id } = JSON.parse(created.stdout) as { id: string };
    const row = [id, 'own-house', 'eur', 'acct_own', 'Own House'].join('\t');
    assert.ok((await run('organizations', 'list')).stdout.split('\n').includes(row));
    assert.equal((await run(...CREATE_KEY, 'all', '--organization', id)).code, 0);

    for (const [args, expectedError] of [
      [['--slug', 'own-house'], /slug own-house is already used/],
      [['--slug', 'other'], /account acct_own belongs to another organization/],
      [['--slug', 'Own House'], /lowercase letters, digits/],
      [['--slug', 'x', '--currency', 'euros'], /three letters/],
      [[], /--slug/],
    ] as const) {
      const rejected = await createOrganization(...args);
      assert.equal(rejected.code, 1);
      assert.match(rejected.stderr, expectedError);
    }
  });
});
