import pg from 'pg';
import { openDatabase } from '../src/db/database.ts';
import { seedIfEmpty } from '../src/db/seed.ts';
import { seedDemoPeople } from '../src/users/demo-people.ts';
import { People } from '../src/users/people.ts';
import {
  openTestServer,
  serverEnvironment,
  type TestServer,
  withDatabase,
} from './database/database-server.ts';

let server: TestServer | undefined;

/** Runs once before all test files: `node --test --test-global-setup=…/global-setup.ts`. */
export async function globalSetup() {
  // The server is used without the pooler: a pooler keeps connections open, and PostgreSQL cannot clone
  // a database with open connections.
  server = await openTestServer(process.env['DIRECT_DATABASE_URL'] ?? process.env['DATABASE_URL']);
  // Test files run in separate processes, which inherit these variables.
  Object.assign(process.env, serverEnvironment(server));
  process.env['TEST_SEEDED_TEMPLATE'] = await createSeededTemplate(server);
}

/** Runs once after all test files, even if some failed. */
export async function globalTeardown() {
  await server?.close();
}

/**
 * Creates a second template on a test server, with demonstration data and the demo accounts. A clone takes
 * a fraction of the time of adding the data again and hashing the passwords.
 *
 * @returns its name
 */
async function createSeededTemplate({ url, template }: TestServer): Promise<string> {
  const name = `${template}_seeded`;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`create database ${name} template ${template}`).finally(() => client.end());
  const database = openDatabase(withDatabase(url, name));
  const { db } = database;
  try {
    await seedIfEmpty(db);
    const options = { secret: 'a secret only for seeding people', baseUrl: 'http://localhost' };
    await seedDemoPeople(db, new People(db, options));
  } finally {
    await database.close();
  }
  return name;
}
