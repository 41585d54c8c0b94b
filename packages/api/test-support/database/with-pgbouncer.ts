/**
 * Runs a command with `DATABASE_URL` set to a PgBouncer in transaction mode, in front of a
 * simulated managed PostgreSQL: `node test-support/database/with-pgbouncer.ts npm test`. All other PgBouncer
 * settings are defaults. `PGBOUNCER` sets the path of the program, if it is not on the `PATH`.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { chooseUser } from '../../src/db/embedded/user.ts';
import { freePort } from '../processes/free-port.ts';
import { startManagedPostgres } from './managed-postgres.ts';

const [command, ...args] = process.argv.slice(2);
if (!command)
  throw new Error('Name a command: node test-support/database/with-pgbouncer.ts npm test');

const PGBOUNCER = process.env['PGBOUNCER'] || findProgram();
const { status, stdout } = spawnSync(PGBOUNCER, ['--version'], { encoding: 'utf8' });
if (status !== 0) {
  process.stderr.write(
    'PgBouncer is not installed, so nothing was tested. Install it (Debian: apt-get install pgbouncer, ' +
      'macOS: brew install pgbouncer), or name the program: PGBOUNCER=/path/to/pgbouncer\n',
  );
  process.exit(1);
}
process.stdout.write(`Through ${stdout.split('\n')[0]}, in transaction mode.\n`);

await using disposables = new AsyncDisposableStack();
const server = await startManagedPostgres();
disposables.defer(server.stop);
// The one database setting that docs/operations.md requires.
const owner = new pg.Client({ connectionString: server.url });
await owner.connect();
await owner.query(`alter role somebody set statement_timeout = '10s'`);
await owner.end();
const url = await startPgBouncer(server.url);
const env = { ...process.env, DATABASE_URL: url, DIRECT_DATABASE_URL: server.url };
const child = spawn(command, args, { stdio: 'inherit', env });
const [code] = (await once(child, 'exit')) as [number | null];
process.exitCode = code ?? 1;

/** Finds PgBouncer. Debian installs it in a folder that is only on the administrators' `PATH`. */
function findProgram(): string {
  const { status: found } = spawnSync('pgbouncer', ['--version']);
  return found === 0 ? 'pgbouncer' : '/usr/sbin/pgbouncer';
}

async function startPgBouncer(direct: string): Promise<string> {
  const { hostname, port, username, password } = new URL(direct);
  const folder = await mkdtemp(join(tmpdir(), 'connect-pgbouncer-'));
  disposables.defer(() => rm(folder, { recursive: true, force: true }));
  const [ini, users, log] = ['pgbouncer.ini', 'users.txt', 'pgbouncer.log'].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  const pooled = await freePort();
  await writeFile(users, `"${username}" "${password}"\n`, { mode: 0o600 });
  await writeFile(
    ini,
    `[databases]
* = host=${hostname} port=${port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${pooled}
unix_socket_dir =
auth_file = ${users}
pool_mode = transaction
; Tests are many processes, and each has a database of its own.
max_client_conn = 1000
logfile = ${log}
`,
  );
  const user = chooseUser(folder); // PgBouncer refuses to run as root.
  if ('uid' in user) {
    await chmod(folder, 0o711);
    for (const path of [folder, ini, users]) await chown(path, user.uid, user.gid);
  }
  const pooler = spawn(PGBOUNCER, [ini], { ...user, stdio: 'ignore', cwd: '/' });
  disposables.defer(async () => {
    if (pooler.exitCode !== null) return;
    const ended = once(pooler, 'exit');
    pooler.kill('SIGQUIT');
    await ended;
  });
  await waitForListening(Number(pooled), async () => {
    if (pooler.exitCode === null) return;
    throw new Error(`PgBouncer ended:\n${await readFile(log, 'utf8').catch(() => '')}`);
  });
  const url = new URL(direct);
  url.port = pooled;
  return url.href;
}

async function waitForListening(port: number, check: () => Promise<void>): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    const listens = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (listens) return;
    await check();
    await sleep(20);
  }
}
