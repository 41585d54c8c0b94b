import pg from 'pg';
import { openDatabase } from '../../src/db/database.ts';
import { seedIfEmpty } from '../../src/db/seed.ts';
import { seedDemoPeople } from '../../src/users/demo-people.ts';
import { People } from '../../src/users/people.ts';
import { type TestServer, withDatabase } from './database-server.ts';

/**
 * Creates a second template on a test server, with demonstration data and the demo accounts. A clone takes
 * a fraction of the time of adding the data again and hashing the passwords.
 *
 * @returns its name
 */
export async function createSeededTemplate({ url, template }: TestServer): Promise<string> {
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
