import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { cloneDatabase } from '../../test-support/database/database.ts';
import { openDatabase } from './database.ts';
import { hasSameSecret, replaceSecret, requireSameSecret } from './installation.ts';

const database = await cloneDatabase();
const { db, close } = openDatabase(database.url);
after(async () => {
  await close();
  await database.drop();
});

const FIRST = 'a'.repeat(32);
const OTHER = 'b'.repeat(32);

describe('API_SECRET', () => {
  test('of the first process is required of every later process', async () => {
    await requireSameSecret(db, FIRST);
    await requireSameSecret(db, FIRST);
    await assert.rejects(requireSameSecret(db, OTHER), ({ message }: Error) => {
      assert.ok(!message.includes(OTHER) && !message.includes(FIRST));
      return /^API_SECRET: this database was set up with another secret\./.test(message);
    });
    assert.equal(await hasSameSecret(db, FIRST), true);
  });

  test('can be replaced when it is lost', async () => {
    await db
      .insertInto('person')
      .values({
        id: 'person_1',
        name: 'Kim',
        email: 'kim@example.org',
        email_verified: true,
        image: null,
        two_factor_enabled: true,
      })
      .execute();
    await db
      .insertInto('sign_in_second_factor')
      .values({
        id: 'factor_1',
        person_id: 'person_1',
        secret: 'sealed',
        backup_codes: 'sealed',
        verified: true,
      })
      .execute();
    await replaceSecret(db, OTHER);
    // A second factor that was encrypted with the lost secret would lock the member out.
    assert.deepEqual(await db.selectFrom('sign_in_second_factor').selectAll().execute(), []);
    const person = await db.selectFrom('person').selectAll().executeTakeFirstOrThrow();
    assert.equal(person.two_factor_enabled, false);
    await requireSameSecret(db, OTHER);
    await assert.rejects(requireSameSecret(db, FIRST), /another secret/);
  });
});
