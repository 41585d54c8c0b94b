import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { sql } from 'kysely';
import { eventually } from '../../test-support/app/start-api.ts';
import { cloneDatabase } from '../../test-support/database/database.ts';
import { openDatabase } from './database.ts';
import { withLock, LOCKS, tryWithLock } from './advisory-lock.ts';

const { url, drop } = await cloneDatabase();
const [one, other] = [openDatabase(url), openDatabase(url)];
after(async () => {
  await Promise.all([one.close(), other.close()]);
  await drop();
});

/** Counts the advisory locks of all sessions in this database. */
async function countLocks(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_locks
    where locktype = 'advisory'
      and database = (select oid from pg_database where datname = current_database())`.execute(
    one.db,
  );
  return rows[0]!.count;
}

describe('an advisory lock', () => {
  test('is held by one process at a time, and remains on no connection', async () => {
    const locksWhileRunning = await tryWithLock(one.db, LOCKS.reconcile, async () => {
      assert.equal(await countLocks(), 1);
      return await tryWithLock(other.db, LOCKS.reconcile, async () => 'both');
    });
    assert.equal(locksWhileRunning, undefined);
    assert.equal(await countLocks(), 0);
    for (const { db } of [one, other, one]) {
      assert.equal(await tryWithLock(db, LOCKS.reconcile, async () => 'free'), 'free');
    }
    assert.equal(await countLocks(), 0);
  });

  test('is free after its task has failed', async () => {
    const failing = () => Promise.reject(new Error('a failure'));
    await assert.rejects(tryWithLock(one.db, LOCKS.reconcile, failing), /a failure/);
    await assert.rejects(withLock(one.db, LOCKS.seed, failing), /a failure/);
    assert.equal(await countLocks(), 0);
  });

  test('makes withLock wait until it is free', async () => {
    const order: string[] = [];
    const entered = Promise.withResolvers<void>();
    const first = withLock(one.db, LOCKS.seed, async () => {
      entered.resolve();
      // A lock that is waited for is listed, too.
      await eventually(async () => (await countLocks()) === 2 || undefined);
      order.push('first');
    });
    await entered.promise;
    await withLock(other.db, LOCKS.seed, async () => void order.push('second'));
    await first;
    assert.deepEqual(order, ['first', 'second']);
  });
});

/**
 * Matches SQL that changes the state of a session, which other clients share behind a pooler. `set
 * local` is allowed, because it ends with its transaction.
 */
const SESSION_STATE = [
  /pg_(try_)?advisory_(un)?lock\b/i,
  /`\s*(un)?listen /i,
  /`\s*set (?!local )\w+ (=|to) /i,
  /\bcreate temp(orary)? table\b/i,
  /\bstatement_timeout: /,
];

test('no source changes a session: behind a pooler other clients share it', () => {
  const folder = join(import.meta.dirname, '..');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && !path.endsWith('.test.ts'),
  );
  assert.ok(files.length > 300);
  const found = files.flatMap((path) => {
    const text = readFileSync(join(folder, path), 'utf8');
    return SESSION_STATE.filter((pattern) => pattern.test(text)).map((at) => `${path}: ${at}`);
  });
  assert.deepEqual(found, []);
});
