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
  test('gives every test file a database of its own', async () => {
    const [one, other] = await Promise.all([cloneDatabase(), cloneDatabase()]);
    await query(one.url, 'create table only_here (id int)');
    const seen = await query(other.url, `select to_regclass('only_here') as found`);
    assert.deepEqual(seen, [{ found: null }]);
    await Promise.all([one.drop(), other.drop()]);
    // Asked directly: PgBouncer keeps a client waiting for a database that is gone.
    const direct = withDatabase(
      process.env['TEST_SERVER_URL']!,
      new URL(one.url).pathname.slice(1),
    );
    await assert.rejects(query(direct, 'select 1'), /does not exist/);
  });
});
