import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { openDatabase } from './database.ts';

test('scheduled jobs, test cards, faults and accounts of an earlier release keep working', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const old = new DatabaseSync(join(folder, 'sandbox.db'));
  old.exec(`
    create table object (id text, body text, hidden text);
    insert into object values
      ('pm_1', '{}', '{"outcome":"succeed","saved":{"code":"declined"},"keeps":true}'),
      ('pm_2', '{}', '{"outcome":"succeed","saved":"succeed","after":"dispute"}'),
      ('acct_1', '{"capabilities":{"card_payments":"active"}}', '{}');
    create table agenda (id integer primary key, at integer, clock text, account text, what text, object_id text);
    create index agenda_due on agenda (clock, at, id);
    create index agenda_object on agenda (object_id, what);
    insert into agenda values (1, 1, '', 'acct_1', 'settle', 'acct_1'), (2, 2, '', 'acct_1', 'renew', 'sub_1');
    create table fault (name text primary key);
    insert into fault values ('lost_answer'), ('slow');
    pragma user_version = 3;
  `);
  old.close();
  const db = openDatabase(folder);
  t.after(() => db.close());
  const column = (sql: string) =>
    db
      .prepare(sql)
      .all()
      .map((row) => Object.values(row)[0]);
  assert.deepEqual(column('select name from scheduled_job order by id'), ['run_payouts', 'renew']);
  assert.deepEqual(column('select name from fault order by name'), ['lost_response', 'slow']);
  const hidden = column('select hidden from object order by rowid').map((text) =>
    JSON.parse(String(text)),
  );
  assert.deepEqual(hidden, [
    { outcome: 'succeed', offSessionOutcome: { code: 'declined' }, canBeSaved: true },
    { outcome: 'succeed', offSessionOutcome: 'succeed', postPaymentEffect: 'dispute' },
    {},
  ]);
  assert.deepEqual(
    column("select body from object where id = 'acct_1'").map((text) => JSON.parse(String(text))),
    [
      {
        capabilities: {
          card_payments: 'active',
          link_payments: 'active',
          paypal_payments: 'active',
          sepa_debit_payments: 'active',
          us_bank_account_ach_payments: 'active',
        },
      },
    ],
  );
});
