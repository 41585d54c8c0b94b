import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { Hono } from 'hono';
import pino from 'pino';
import { cloneDatabase } from '../../test-support/database.ts';
import { fillDisk } from '../../test-support/full-disk.ts';
import { openDatabase } from '../db/database.ts';
import type { Env } from './env.ts';
import { createErrorHandler } from './error-handler.ts';
import { health } from './health.ts';

const database = await cloneDatabase();
const { db, close } = openDatabase(database.url);
after(async () => {
  await close();
  await database.drop();
});

const createHealthApp = (deps: Partial<Parameters<typeof health>[0]>) =>
  new Hono<Env>()
    .route('/', health({ db, embeddedFolder: undefined, ...deps }))
    .onError(createErrorHandler({ log: pino({ level: 'silent' }), baseUrl: '' }));

describe('GET /readyz', () => {
  test('is ready while the database can be written to', async () => {
    assert.equal(
      (await createHealthApp({ embeddedFolder: tmpdir() }).request('/readyz')).status,
      200,
    );
  });

  test('is not ready on a read-only database, for example a replica', async () => {
    const readOnly = new URL(database.url);
    readOnly.searchParams.set('options', '-c default_transaction_read_only=on');
    const reader = openDatabase(readOnly.href);
    try {
      const response = await createHealthApp({ db: reader.db }).request('/readyz');
      assert.equal(response.status, 503);
      assert.match(await response.text(), /"unavailable".*cannot be reached or written to/);
    } finally {
      await reader.close();
    }
  });

  test('is not ready while the disk is full', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'connect-disk-'));
    const disk = fillDisk(folder, '80m');
    if (!disk) return t.skip('needs the right to mount a file system');
    try {
      const response = await createHealthApp({ embeddedFolder: folder }).request('/readyz');
      assert.equal(response.status, 503);
      assert.match(await response.text(), /disk of the database is almost full: 0 MiB free/);
      disk.free();
      assert.equal(
        (await createHealthApp({ embeddedFolder: folder }).request('/readyz')).status,
        200,
      );
    } finally {
      disk.unmount();
      await rm(folder, { recursive: true });
    }
  });
});
