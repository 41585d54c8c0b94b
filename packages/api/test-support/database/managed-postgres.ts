import pg from 'pg';
import { startTemporary, withDatabase } from './database-server.ts';

/**
 * Starts a PostgreSQL that simulates a managed service: the role is not a superuser and owns one
 * database. It may create databases, which only the tests need.
 */
export async function startManagedPostgres() {
  const server = await startTemporary();
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  await client.query(`create role somebody login createdb nosuperuser password 'a-password'`);
  await client.query('create database somebodys owner somebody');
  await client.end();
  const url = new URL(withDatabase(server.url, 'somebodys'));
  url.username = 'somebody';
  url.password = 'a-password';
  return { url: url.href, stop: server.stop };
}
