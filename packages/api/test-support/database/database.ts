import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { withDatabase } from './database-server.ts';

interface TestDatabase {
  url: string;
  drop: () => Promise<void>;
}

/**
 * Creates a migrated, empty database for one test file, cloned from the run's template in about 40
 * ms.
 *
 * Databases that are not dropped are removed at the end of the run: `global-setup.ts`.
 */
export const cloneDatabase = (): Promise<TestDatabase> => cloneTemplate('TEST_TEMPLATE');

/** Creates a database with demonstration data, whose times depend on the start of the run. */
export const cloneSeededDatabase = (): Promise<TestDatabase> =>
  cloneTemplate('TEST_SEEDED_TEMPLATE');

async function cloneTemplate(
  variable: 'TEST_TEMPLATE' | 'TEST_SEEDED_TEMPLATE',
): Promise<TestDatabase> {
  const { TEST_SERVER_URL: server, [variable]: template } = process.env;
  if (!server || !template) {
    throw new Error('Run with --test-global-setup=packages/api/test-support/global-setup.ts');
  }
  // The prefix of the run, by which `global-setup.ts` finds its databases.
  const name = template.replace(/template.*/, randomBytes(6).toString('hex'));
  // PostgreSQL's default strategy writes every page to the WAL as well, which takes twice as long.
  await execute(server, `create database ${name} template ${template} strategy file_copy`);
  const pooler = process.env['DIRECT_DATABASE_URL'] && process.env['DATABASE_URL'];
  return {
    url: withDatabase(pooler || server, name),
    drop: () => dropDatabase(server, name),
  };
}

/**
 * Drops a database. `with (force)` ends open connections of a test or a pooler. On a managed server
 * `force` fails while an autovacuum worker uses the database. The statement without `force` ends the
 * worker but no sessions, so our sessions are terminated first.
 */
async function dropDatabase(server: string, name: string): Promise<void> {
  const statement = `drop database if exists ${name}`;
  await execute(server, `${statement} with (force)`).catch(async (refused: { code?: string }) => {
    if (refused.code !== INSUFFICIENT_PRIVILEGE) throw refused;
    await execute(
      server,
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity
        where datname = '${name}' and usename = current_user`,
    );
    await execute(server, statement);
  });
}

const INSUFFICIENT_PRIVILEGE = '42501';

async function execute(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}
