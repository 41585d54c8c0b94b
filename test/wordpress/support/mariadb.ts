import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BackgroundProcess } from '../../support/background-process.ts';
import { findProgram } from '../../support/find-program.ts';

const run = promisify(execFile);

/** Starts a MariaDB with an empty database `wordpress` in a folder. It listens on a socket only. */
export async function startMariaDb(folder: string) {
  const data = join(folder, 'mariadb');
  const socket = join(folder, 'mariadb.sock');
  const user = `--user=${userInfo().username}`;
  await run(findProgram('mariadb-install-db')!, [
    ...['--no-defaults', '--auth-root-authentication-method=normal', '--skip-test-db'],
    ...[`--datadir=${data}`, user],
  ]);
  const server = new BackgroundProcess(findProgram('mariadbd')!, [
    ...['--no-defaults', '--skip-networking', '--skip-log-bin', `--datadir=${data}`],
    ...[`--socket=${socket}`, `--pid-file=${join(folder, 'mariadb.pid')}`, user],
  ]);
  await server.waitUntil(() => existsSync(socket), 'its socket existed');
  const createDatabase = ['--no-defaults', `--socket=${socket}`, '--user=root', '--execute'];
  await run(findProgram('mariadb')!, [...createDatabase, 'create database wordpress']);
  return { socket, stop: () => server.stop() };
}
