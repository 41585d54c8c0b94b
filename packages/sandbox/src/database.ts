import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';

/** Schema of the first release. */
const BASE_SCHEMA = `
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
 * Migrations since the first release, in order; `user_version` counts them.
 *
 * `hidden` is data of an object that Stripe's API does not return; `clock` is the offset of the
 * sandbox's time; `fault` contains the faults that are switched on.
 */
const MIGRATIONS = [
  `
  alter table object add column hidden text not null default '{}';
  alter table object add column created integer generated always as (body ->> 'created') virtual;
  create index object_created on object (account, kind, created);
  create index object_payment_intent on object (body ->> 'payment_intent');
  create index idempotency_age on idempotency (created_at);
  create table agenda (
    id integer primary key autoincrement,
    at integer not null,
    clock text not null default '',
    account text not null,
    what text not null,
    object_id text not null
  ) strict;
  create index agenda_due on agenda (clock, at, id);
  create index agenda_object on agenda (object_id, what);
  create table clock (one integer primary key check (one = 1), ahead_ms integer not null) strict;
  insert into clock values (1, 0);
  `,
  `
  create table setting (
    account text not null,
    name text not null,
    primary key (account, name)
  ) strict;
  `,
  `
  create table sending (
    id integer primary key autoincrement,
    event_id text not null references object (id),
    endpoint text not null default '',
    attempts integer not null default 0,
    next_attempt_at integer not null,
    delivered_at integer,
    last_result text
  ) strict;
  insert into sending (event_id, attempts, next_attempt_at, delivered_at, last_result)
    select event_id, attempts, next_attempt_at, delivered_at, last_result from delivery;
  drop table delivery;
  alter table sending rename to delivery;
  create index delivery_due on delivery (next_attempt_at) where delivered_at is null;
  create index delivery_event on delivery (event_id);
  create table fault (
    name text primary key,
    rate real not null,
    seed text not null,
    remaining integer,
    ms integer not null,
    path text not null,
    rolls integer not null default 0,
    hits integer not null default 0
  ) strict;
  `,
  `
  alter table agenda rename to scheduled_job;
  alter table scheduled_job rename column what to name;
  drop index agenda_due;
  drop index agenda_object;
  create index scheduled_job_due on scheduled_job (clock, at, id);
  create index scheduled_job_object on scheduled_job (object_id, name);
  update scheduled_job set name = case name
    when 'refund_pays' then 'complete_refund'
    when 'refund_fails' then 'fail_refund'
    when 'late_fee' then 'add_late_fee'
    when 'dispute' then 'open_dispute'
    when 'inquiry' then 'open_inquiry'
    when 'dispute_due' then 'expire_evidence_deadline'
    when 'dispute_decided' then 'decide_dispute'
    when 'settle' then 'run_payouts'
    when 'payout_leaves' then 'mark_payout_in_transit'
    when 'payout_arrives' then 'complete_payout'
    else name end;
  update object set hidden = json_remove(
      json_set(hidden, '$.offSessionOutcome', json(hidden -> 'saved')), '$.saved')
    where hidden -> 'saved' is not null;
  update object set hidden = json_remove(
      json_set(hidden, '$.canBeSaved', json(hidden -> 'keeps')), '$.keeps')
    where hidden -> 'keeps' is not null;
  update object set hidden = json_remove(
      json_set(hidden, '$.postPaymentEffect', json(hidden -> 'after')), '$.after')
    where hidden -> 'after' is not null;
  update fault set name = 'lost_response' where name = 'lost_answer';
  `,
  `
  update object set body = json_set(body,
      '$.capabilities.link_payments', body ->> '$.capabilities.card_payments',
      '$.capabilities.paypal_payments', body ->> '$.capabilities.card_payments',
      '$.capabilities.sepa_debit_payments', body ->> '$.capabilities.card_payments',
      '$.capabilities.us_bank_account_ach_payments', body ->> '$.capabilities.card_payments')
    where body -> '$.capabilities' is not null;
  `,
  `
  drop index scheduled_job_due;
  delete from scheduled_job where clock <> '';
  alter table scheduled_job drop column clock;
  create index scheduled_job_due on scheduled_job (at, id);
  `,
] as const;

/**
 * Opens the SQLite database of the simulated Stripe: docs/decisions/0011-stripe-sandbox.md
 *
 * Every commit is on disk before the response is sent, so a crash loses nothing that a client has
 * seen. Only one process may open the file, since two would deliver every event twice.
 *
 * @throws if another sandbox has the file open
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
    `);
    transact(db, () => migrate(db));
  } catch (cause) {
    db.close();
    if (!String(cause).includes('locked')) throw cause;
    throw new Error(`${file} is in use by another sandbox. Set DATA_DIR to another folder.`, {
      cause,
    });
  }
  return db;
}

function migrate(db: DatabaseSync) {
  const appliedCount = Number(db.prepare('pragma user_version').get()?.['user_version']);
  if (appliedCount === 0) db.exec(BASE_SCHEMA);
  for (const change of MIGRATIONS.slice(appliedCount)) db.exec(change);
  db.exec(`pragma user_version = ${MIGRATIONS.length}`);
}

const preparedStatements = new WeakMap<DatabaseSync, Map<string, StatementSync>>();

/** Returns a prepared statement, compiled once per database. */
export function sql(db: DatabaseSync, text: string): StatementSync {
  let statements = preparedStatements.get(db);
  if (!statements) preparedStatements.set(db, (statements = new Map()));
  let statement = statements.get(text);
  if (!statement) statements.set(text, (statement = db.prepare(text)));
  return statement;
}

/** Runs `work` in a transaction. It is synchronous, so that no other request can run in between. */
export function transact<T>(db: DatabaseSync, work: () => T): T {
  db.exec('begin immediate');
  try {
    const result = work();
    db.exec('commit');
    return result;
  } catch (error) {
    // SQLite has ended the transaction already if it could not write, for example to a full disk.
    if (db.isTransaction) db.exec('rollback');
    throw error;
  }
}

/** Delay in milliseconds before work without a caller is repeated that could not be saved. */
export const STORAGE_RETRY_MS = 2000;

/** SQLite's primary result codes for a full disk and for a failed read or write. */
const STORAGE_ERRORS = { full: 13, ioError: 10 };

/** Returns whether SQLite could not write, for example to a full disk. Nothing was changed then. */
export function isStorageError(error: unknown): error is Error {
  if (!(error instanceof Error) || !('errcode' in error)) return false;
  // The lowest byte of an extended result code is the primary one.
  return Object.values(STORAGE_ERRORS).includes(Number(error.errcode) & 0xff);
}
