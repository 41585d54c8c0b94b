/**
 * Runs a command with `DATABASE_URL` naming a PostgreSQL that is not ours:
 * `node test-support/with-database-url.ts npm test`.
 *
 * It stands for a managed service: the role is no superuser and owns one database; it may create
 * others, which only the tests need.
 */
import { spawnSync } from 'node:child_process';
import pg from 'pg';
import { startTemporary, withDatabase } from './database-server.ts';

const [command, ...args] = process.argv.slice(2);
if (!command) throw new Error('Name a command: node test-support/with-database-url.ts npm test');

const server = await startTemporary();
try {
  const url = await createOwner(server.url);
  const env = { ...process.env, DATABASE_URL: url };
  const { status, error } = spawnSync(command, args, { stdio: 'inherit', env });
  if (error) throw error;
  process.exitCode = status ?? 1;
} finally {
  await server.stop();
}

async function createOwner(superuserUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  await client.query(`create role somebody login createdb nosuperuser password 'a-password'`);
  await client.query('create database somebodys owner somebody');
  await client.end();
  const url = new URL(withDatabase(superuserUrl, 'somebodys'));
  url.username = 'somebody';
  url.password = 'a-password';
  return url.href;
}
