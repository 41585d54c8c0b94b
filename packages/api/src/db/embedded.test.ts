import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { execFileSync, spawn } from 'node:child_process';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  execute,
  killAll,
  makeFolders,
  postmasterPid,
  serverProcesses,
  startOwner,
} from '../../test-support/database/embedded-owner.ts';
import { startEmbedded } from './embedded.ts';
import { connectionUrl } from './embedded/connection-url.ts';
import { removeEmbedded } from './embedded/remove-embedded.ts';

const { makeFolder, removeFolders } = makeFolders();
after(removeFolders);

describe('an embedded PostgreSQL', () => {
  test('is PostgreSQL 18, in UTF-8 and UTC, sorted by code point, with fsync', async () => {
    const { url, stop } = await startEmbedded({ dataDir: makeFolder() });
    const settings = ['server_encoding', 'timezone', 'fsync', 'listen_addresses', 'data_checksums'];
    const values = await Promise.all(settings.map((name) => execute(url, `show ${name}`)));
    assert.deepEqual(values.flat(), ['UTF8', 'UTC', 'on', '127.0.0.1', 'on']);
    assert.match(String(await execute(url, 'show server_version')), /^18\./);
    const [sorted] = await execute(
      url,
      `select array_agg(x order by x) from unnest('{é,a,B}'::text[]) x`,
    );
    assert.deepEqual(sorted, ['B', 'a', 'é']);
    await stop();
  });

  test('requires a password, which only its owner can read', async () => {
    const dataDir = makeFolder();
    const { url, stop } = await startEmbedded({ dataDir });
    const urlWithWrongPassword = Object.assign(new URL(url), { password: 'guess' });
    await assert.rejects(
      execute(urlWithWrongPassword.href, 'select 1'),
      /password authentication failed/,
    );
    assert.equal(statSync(join(dataDir, 'postgres-password')).mode & 0o777, 0o600);
    assert.ok(!readFileSync(join(dataDir, 'postgres.log'), 'utf8').includes(new URL(url).password));
    await stop();
  });

  test('stores its data, and leaves no process running when it is stopped', async () => {
    const dataDir = makeFolder();
    const first = await startEmbedded({ dataDir });
    await execute(first.url, 'create table gift as select 5000 as amount_cents');
    assert.equal(connectionUrl(dataDir), first.url);
    await Promise.all([first.stop(), first.stop()]);
    assert.deepEqual(serverProcesses(dataDir), []);
    assert.equal(connectionUrl(dataDir), undefined);

    const second = await startEmbedded({ dataDir });
    assert.deepEqual(await execute(second.url, 'select * from gift'), [5000]);
    await second.stop();
  });

  test('ends open sessions when it is stopped', async () => {
    const { url, stop } = await startEmbedded({ dataDir: makeFolder() });
    const query = assert.rejects(execute(url, 'select pg_sleep(60)'));
    const sleepingQuery = `select from pg_stat_activity where wait_event = 'PgSleep'`;
    while ((await execute(url, `select exists (${sleepingQuery})`))[0] !== true) await sleep(50);
    const from = performance.now();
    await stop();
    await query;
    // Sooner than the 10 seconds after which `stop` sends SIGQUIT.
    assert.ok(performance.now() - from < 10_000);
  });

  test('resolves `ended` when its server has ended', async () => {
    const dataDir = makeFolder();
    const { ended, stop } = await startEmbedded({ dataDir });
    process.kill(postmasterPid(dataDir), 'SIGKILL');
    await ended;
    await stop();
    assert.deepEqual(serverProcesses(dataDir), []);
  });
});

describe('a data folder', () => {
  test('belongs to one process: a second start fails and names the folder', async () => {
    const dataDir = makeFolder();
    const owner = await startOwner(dataDir);
    const second = await startOwner(dataDir);
    assert.equal(second.url, undefined);
    assert.ok((await second.stderr).startsWith(`${dataDir} is in use by another process.`));
    assert.deepEqual(await execute(owner.url, 'select 1'), [1]); // The first process is not affected.
    await owner.end('SIGTERM');
  });

  test('has exactly one winner when several start at once', async () => {
    const dataDir = makeFolder();
    const owners = await Promise.all([1, 2, 3, 4].map(() => startOwner(dataDir)));
    const startedOwners = owners.filter(({ url }) => url);
    assert.equal(startedOwners.length, 1);
    for (const rejectedStart of owners.filter(({ url }) => !url)) {
      assert.match(await rejectedStart.stderr, /is in use/);
    }
    assert.deepEqual(await execute(startedOwners[0]?.url, 'select 1'), [1]);
    await startedOwners[0]?.end('SIGTERM');
  });

  test('is not removed while a process runs on it', async () => {
    const dataDir = makeFolder();
    const { stop } = await startEmbedded({ dataDir });
    await assert.rejects(removeEmbedded(dataDir), { name: 'FolderInUseError' });
    await stop();
    await removeEmbedded(dataDir);
    assert.ok(!existsSync(dataDir));
  });

  test('whose first start was interrupted is initialized again', async () => {
    const dataDir = makeFolder();
    mkdirSync(join(dataDir, 'postgres.new-0123456789ab/base'), { recursive: true });
    const { stop } = await startEmbedded({ dataDir });
    assert.ok(!existsSync(join(dataDir, 'postgres.new-0123456789ab')));
    await stop();
  });
});

describe('damaged files', () => {
  const intact = makeFolder();
  before(async () => await (await startEmbedded({ dataDir: intact })).stop());

  /** Starts the server on a damaged copy of the intact folder. */
  const restart = async (damageFiles: (dataDir: string) => void) => {
    const dataDir = makeFolder();
    execFileSync('cp', ['-a', `${intact}/.`, dataDir]); // Keeps owners and permissions.
    damageFiles(dataDir);
    const error = await startEmbedded({ dataDir }).then(
      () => assert.fail('it started'),
      (error: Error) => error,
    );
    assert.deepEqual(serverProcesses(dataDir), []);
    return { dataDir, message: error.message };
  };
  const overwriteWithZeros = (path: string) =>
    writeFileSync(path, Buffer.alloc(statSync(path).size));

  for (const [description, damageFiles] of [
    [
      'a zeroed pg_control',
      (cluster: string) => overwriteWithZeros(join(cluster, 'global/pg_control')),
    ],
    [
      'an empty pg_control',
      (cluster: string) => writeFileSync(join(cluster, 'global/pg_control'), ''),
    ],
    ['no pg_control', (cluster: string) => rmSync(join(cluster, 'global/pg_control'))],
    ['no PG_VERSION', (cluster: string) => rmSync(join(cluster, 'PG_VERSION'))],
    [
      'an empty folder',
      (cluster: string) => {
        for (const name of readdirSync(cluster)) rmSync(join(cluster, name), { recursive: true });
      },
    ],
  ] as [string, (cluster: string) => void][]) {
    test(`${description}: the error names the folder and the remedy, not initdb`, async () => {
      const { dataDir, message } = await restart((folder) => damageFiles(join(folder, 'postgres')));
      assert.ok(
        message.startsWith(`The database in ${join(dataDir, 'postgres')} is damaged`),
        message,
      );
      assert.match(message, /Restore the folder from a backup/);
      assert.doesNotMatch(message, /initdb|HINT/);
    });
  }

  for (const [description, damageFiles] of [
    ['empty', (path: string) => writeFileSync(path, '')],
    ['missing', (path: string) => rmSync(path)],
  ] as [string, (path: string) => void][]) {
    test(`a password file that is ${description}: the error names the file`, async () => {
      const { dataDir, message } = await restart((folder) =>
        damageFiles(join(folder, 'postgres-password')),
      );
      assert.ok(
        message.startsWith(`${join(dataDir, 'postgres-password')} is ${description}`),
        message,
      );
    });
  }
});

describe('after a crash', () => {
  test('of all processes, no committed data is lost', async () => {
    const dataDir = makeFolder();
    const owner = await startOwner(dataDir);
    await execute(owner.url, 'create table gift as select 5000 as amount_cents');
    const processes = serverProcesses(dataDir);
    killAll(processes);
    await owner.end('SIGKILL');
    assert.ok(processes.length > 3 && existsSync(join(dataDir, 'postgres/postmaster.pid')));

    const { url, stop } = await startEmbedded({ dataDir });
    assert.deepEqual(await execute(url, 'select * from gift'), [5000]);
    await stop();
  });

  test('of our process only, the orphaned server is replaced', async () => {
    const dataDir = makeFolder();
    const owner = await startOwner(dataDir);
    await execute(owner.url, 'create table gift as select 5000 as amount_cents');
    const orphan = postmasterPid(dataDir);
    await owner.end('SIGKILL');
    assert.deepEqual(await execute(owner.url, 'select 1'), [1]);

    const messages: string[] = [];
    const { url, stop } = await startEmbedded({
      dataDir,
      log: (message) => messages.push(message),
    });
    assert.match(messages.join(), new RegExp(`Stopping PostgreSQL \\(process ${orphan}\\)`));
    assert.notEqual(postmasterPid(dataDir), orphan);
    assert.deepEqual(await execute(url, 'select * from gift'), [5000]);
    await stop();
    assert.deepEqual(serverProcesses(dataDir), []);
  });

  test('of our process only, removing the folder also ends the server', async () => {
    const dataDir = makeFolder();
    const owner = await startOwner(dataDir);
    await owner.end('SIGKILL');
    assert.ok(serverProcesses(dataDir).length > 3);
    await removeEmbedded(dataDir);
    assert.deepEqual(serverProcesses(dataDir), []);
  });

  test('a pid file with the id of another program does not block the start', async () => {
    const dataDir = makeFolder();
    const { stop } = await startEmbedded({ dataDir });
    const pidFile = readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8');
    await stop();
    // PostgreSQL refuses to start if its pid file contains the id of a running process of the same user.
    const { uid, gid } = statSync(join(dataDir, 'postgres'));
    const otherProgram = spawn('sleep', ['60'], { uid, gid, stdio: 'ignore' });
    writeFileSync(
      join(dataDir, 'postgres/postmaster.pid'),
      pidFile.replace(/^\d+/, String(otherProgram.pid)),
    );
    assert.equal(connectionUrl(dataDir), undefined);
    const replacement = await startEmbedded({ dataDir });
    assert.deepEqual(await execute(replacement.url, 'select 1'), [1]);
    await replacement.stop();
    assert.equal(otherProgram.exitCode, null); // The process that has this id by chance is not ended.
    otherProgram.kill();
  });
});
