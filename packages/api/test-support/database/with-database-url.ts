/**
 * Runs a command with `DATABASE_URL` set to a simulated managed PostgreSQL: `node
 * test-support/database/with-database-url.ts npm test`.
 */
import { spawnSync } from 'node:child_process';
import { startManagedPostgres } from './managed-postgres.ts';

const [command, ...args] = process.argv.slice(2);
if (!command)
  throw new Error('Name a command: node test-support/database/with-database-url.ts npm test');

const server = await startManagedPostgres();
try {
  const env = { ...process.env, DATABASE_URL: server.url };
  const { status, error } = spawnSync(command, args, { stdio: 'inherit', env });
  if (error) throw error;
  process.exitCode = status ?? 1;
} finally {
  await server.stop();
}
