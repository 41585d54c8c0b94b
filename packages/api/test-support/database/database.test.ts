import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import pg from 'pg';
import { withDatabase } from './database-server.ts';
import { cloneDatabase } from './database.ts';

async function query<Row extends pg.QueryResultRow>(url: string, text: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<Row>(text).finally(() => client.end());
  return rows;
}

describe('cloneDatabase', () => {
  test('creates a separate database for every test file', async () => {
    const [one, other] = await Promise.all([cloneDatabase(), cloneDatabase()]);
    await query(one.url, 'create table only_here (id int)');
    const seen = await query(other.url, `select to_regclass('only_here') as found`);
    assert.deepEqual(seen, [{ found: null }]);
    await Promise.all([one.drop(), other.drop()]);
    // Queried directly, because PgBouncer makes a client wait for a dropped database.
    const direct = withDatabase(
      process.env['TEST_SERVER_URL']!,
      new URL(one.url).pathname.slice(1),
    );
    await assert.rejects(query(direct, 'select 1'), /does not exist/);
  });
});
