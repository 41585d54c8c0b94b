import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import pg from 'pg';
import { cloneDatabase } from './database.ts';

async function query(url: string, text: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client.query(text).finally(() => client.end());
}

describe('cloneDatabase', () => {
  test('gives every test file a database of its own', async () => {
    const [one, other] = await Promise.all([cloneDatabase(), cloneDatabase()]);
    await query(one.url, 'create table only_here (id int)');
    const seen = await query(other.url, `select to_regclass('only_here') as found`);
    assert.equal(seen.rows[0].found, null);
    await Promise.all([one.drop(), other.drop()]);
    await assert.rejects(query(one.url, 'select 1'), /does not exist/);
  });
});
