import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const SCHEMA = `
  create table if not exists object (
    seq integer primary key autoincrement,
    id text not null unique,
    kind text not null,
    account text not null,
    body text not null
  ) strict;
  create index if not exists object_page on object (account, kind, seq);
  create table if not exists delivery (
    event_id text primary key references object (id),
    attempts integer not null default 0,
    next_attempt_at integer not null,
    delivered_at integer,
    last_result text
  ) strict;
  create index if not exists delivery_due on delivery (next_attempt_at) where delivered_at is null;
  create table if not exists idempotency (
    account text not null,
    key text not null,
    fingerprint text not null,
    status integer not null,
    body text not null,
    request_id text not null,
    created_at integer not null,
    primary key (account, key)
  ) strict;
`;

/**
 * Opens the store: docs/decisions/0017-sandbox-store.md
 *
 * Every commit is on disk before it is answered, so a crash loses nothing that
 * anybody was told. One process holds the file; a second one is refused,
 * since both would deliver every event.
 *
 * @throws when another sandbox has the same file open
 */
export function openDatabase(dataDir: string): DatabaseSync {
  mkdirSync(dataDir, { recursive: true });
  const file = join(dataDir, 'sandbox.db');
  const db = new DatabaseSync(file, { timeout: 1000 });
  try {
    db.exec(`
      pragma locking_mode = exclusive;
      pragma journal_mode = wal;
      pragma synchronous = full;
      pragma foreign_keys = on;
      begin immediate; ${SCHEMA} commit;
    `);
  } catch (cause) {
    db.close();
    if (!String(cause).includes('locked')) throw cause;
    throw new Error(`${file} is in use by another sandbox. Set DATA_DIR to another folder.`, {
      cause,
    });
  }
  return db;
}

/** All or nothing. Synchronous, so that no other request can come between. */
export function transact<T>(db: DatabaseSync, work: () => T): T {
  db.exec('begin immediate');
  try {
    const result = work();
    db.exec('commit');
    return result;
  } catch (error) {
    db.exec('rollback');
    throw error;
  }
}
