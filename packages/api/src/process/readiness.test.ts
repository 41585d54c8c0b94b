import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { Hono } from 'hono';
import { sql } from 'kysely';
import pino from 'pino';
import { cloneDatabase } from '../../test-support/database/database.ts';
import { fillDisk } from '../../test-support/database/full-disk.ts';
import { openDatabase } from '../db/database.ts';
import { hasSameSecret } from '../db/installation.ts';
import { MIGRATIONS } from '../db/migrations/index.ts';
import type { Env } from '../http/env.ts';
import { handleErrors } from '../http/error-handler.ts';
import { health } from '../http/health.ts';
import { createReadinessCheck } from './readiness.ts';

const SECRET = 's'.repeat(32);
const database = await cloneDatabase();
const { db, close } = openDatabase(database.url);
await hasSameSecret(db, SECRET);
after(async () => {
  await close();
  await database.drop();
});

/** Requests `/readyz` of a process with these settings. */
async function readReadiness(options: Partial<Parameters<typeof createReadinessCheck>[0]> = {}) {
  const processor = { hasPlatform: true };
  const required = { db, embeddedFolder: undefined, secret: SECRET, processor };
  const app = new Hono<Env>().route(
    '/',
    health({ checkReady: createReadinessCheck({ ...required, ...options }) }),
  );
  handleErrors(app, { log: pino({ level: 'silent' }), baseUrl: '' });
  const response = await app.request('/readyz');
  const { error, status } = (await response.json()) as {
    error?: { code: string; message: string };
    status?: string;
  };
  return { status: response.status, state: status, code: error?.code, message: error?.message };
}

describe('GET /readyz', () => {
  test('responds 200 before the setup, which needs traffic, and says so', async () => {
    const { status, state } = await readReadiness();
    assert.deepEqual([status, state], [200, 'waiting_for_setup']);
  });

  test('is ready while donations can be made and recorded', async () => {
    await db
      .insertInto('organization')
      .values({ id: 'org_1', name: 'Harbor', slug: 'harbor', currency: 'usd' })
      .execute();
    const { status, state } = await readReadiness({ embeddedFolder: tmpdir() });
    assert.deepEqual([status, state], [200, 'ready']);
    await db.deleteFrom('organization').execute();
  });

  test('is not ready on a read-only database, for example a replica', async () => {
    const readOnly = new URL(database.url);
    readOnly.searchParams.set('options', '-c default_transaction_read_only=on');
    const reader = openDatabase(readOnly.href);
    try {
      const { status, code, message } = await readReadiness({ db: reader.db });
      assert.equal(status, 503);
      assert.equal(code, 'database_unavailable');
      assert.match(message!, /cannot be reached or written to/);
    } finally {
      await reader.close();
    }
  });

  test('is not ready while the disk is full', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'connect-disk-'));
    const disk = fillDisk(folder, '80m');
    if (!disk) return t.skip('needs the right to mount a file system');
    try {
      const { status, code, message } = await readReadiness({ embeddedFolder: folder });
      assert.equal(status, 503);
      assert.equal(code, 'disk_full');
      // The free space is in the log only.
      assert.equal(message, 'The disk of the database is almost full.');
      disk.free();
      assert.equal((await readReadiness({ embeddedFolder: folder })).status, 200);
    } finally {
      disk.unmount();
      await rm(folder, { recursive: true });
    }
  });

  test('is not ready with another API_SECRET than that of the database', async () => {
    const { status, code } = await readReadiness({ secret: 'o'.repeat(32) });
    assert.deepEqual([status, code], [503, 'secret_mismatch']);
  });

  test('is not ready while migrations are pending', async () => {
    const [name] = Object.keys(MIGRATIONS);
    const renameMigration = (from: string, to: string) =>
      sql`update kysely_migration set name = ${to} where name = ${from}`.execute(db);
    await renameMigration(name!, 'of a test');
    const { status, code, message } = await readReadiness();
    assert.deepEqual([status, code], [503, 'migrations_pending']);
    assert.ok(!message!.includes(name!));
    await renameMigration('of a test', name!);
  });

  test('is not ready when no organization with an account has keys', async () => {
    const processor = { hasPlatform: false };
    assert.equal((await readReadiness({ processor })).status, 200, 'before the setup');
    await db
      .insertInto('organization')
      .values({ id: 'org_new', name: 'New Hope', slug: 'new-hope', currency: 'usd' })
      .execute();
    assert.equal((await readReadiness({ processor })).status, 200, 'before the first keys');
    await db.updateTable('organization').set({ processor_account_id: 'acct_1' }).execute();
    const { status, code } = await readReadiness({ processor });
    assert.deepEqual([status, code], [503, 'processor_keys_missing']);
    await db
      .insertInto('stripe_key')
      .values({
        organization_id: 'org_new',
        publishable_key: 'pk_test_1',
        encrypted_secret_key: 'encrypted',
        secret_key_end: '1234',
        encrypted_webhook_secret: null,
        webhook_endpoint_id: null,
        livemode: false,
      })
      .execute();
    assert.equal((await readReadiness({ processor })).status, 200, 'with own keys');
  });
});
