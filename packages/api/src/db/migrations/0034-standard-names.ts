import { sql, type Kysely } from 'kysely';

/**
 * Renames columns, stored values, a sequence, indexes and triggers to the field's terms. No data is
 * lost.
 *
 * An earlier release does not work with the new names, so both must not run on one database:
 * docs/operations.md
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const COLUMNS: [table: string, column: string, name: string][] = [
  ['donation', 'reading', 'row_version'],
  ['payout', 'reading', 'row_version'],
  ['recurring_plan', 'reading', 'row_version'],
  ['processor_account', 'reading', 'row_version'],
  ['processor_account', 'read_at', 'fetched_at'],
  ['processor_account', 'due', 'requirements_due'],
  ['donation_dispute', 'answer_until', 'evidence_due_at'],
  ['reconciliation', 'events_until', 'events_processed_until'],
  ['reconciliation', 'events_at', 'last_run_at'],
  ['attack_alarm', 'held_at', 'last_detected_at'],
  ['attack_alarm', 'failed', 'declined_cards'],
  ['attack_alarm', 'tried', 'attempted_cards'],
  ['card_reservation', 'form', 'form_key'],
  ['card_reservation', 'address', 'address_hash'],
  ['card_reservation', 'proven', 'has_proof_of_work'],
  ['card_reservation', 'cards', 'card_count'],
  ['idempotency_key', 'attempt', 'attempt_id'],
  ['idempotency_key', 'sealed_body', 'encrypted_body'],
  ['webhook_endpoint', 'sealed_secret', 'encrypted_secret'],
  ['webhook_endpoint', 'sealed_previous_secret', 'encrypted_previous_secret'],
  ['webhook_delivery', 'attempts_before', 'attempts_before_redelivery'],
  ['mail', 'once_key', 'deduplication_key'],
  ['request_budget', 'taken_at', 'request_times'],
];

/** Tables whose changes are written to the change log. */
const LOGGED_TABLES = ['donation', 'donor', 'payout'];

const STATEMENTS = [
  ...COLUMNS.map(
    ([table, column, name]) => `alter table ${table} rename column ${column} to ${name}`,
  ),
  'alter sequence processor_reading rename to row_version_seq',
  'alter index webhook_delivery_settled rename to webhook_delivery_finished',
  'alter index mail_settled rename to mail_age',
  'alter table payout_donation drop constraint payout_donation_type_check',
  `update payout_donation set type = 'donation' where type = 'gift'`,
  `alter table payout_donation add constraint payout_donation_type_check
    check (type in ('donation', 'refund', 'dispute'))`,
  // E-mails that are not sent yet.
  `update mail set details = details - '{failed,tried}'::text[] || jsonb_build_object(
      'declined_cards', details -> 'failed', 'attempted_cards', details -> 'tried')
    where kind = 'card_testing'`,
  // The triggers of the change log. Updates of `row_version` alone are not logged.
  `create function log_inserted_rows() returns trigger language plpgsql as $$
  begin
    insert into resource_change (organization_id, kind, resource_id)
      select organization_id, tg_table_name, id from new_rows;
    return null;
  end $$`,
  `create function log_updated_rows() returns trigger language plpgsql as $$
  begin
    insert into resource_change (organization_id, kind, resource_id)
      select new_rows.organization_id, tg_table_name, new_rows.id
      from new_rows join old_rows using (id)
      where to_jsonb(new_rows) - 'row_version' is distinct from to_jsonb(old_rows) - 'row_version';
    return null;
  end $$`,
  ...LOGGED_TABLES.flatMap((table) => [
    `drop trigger log_made on ${table}`,
    `drop trigger log_changed on ${table}`,
    `create trigger log_inserted_rows after insert on ${table}
      referencing new table as new_rows for each statement execute function log_inserted_rows()`,
    `create trigger log_updated_rows after update on ${table}
      referencing new table as new_rows old table as old_rows
      for each statement execute function log_updated_rows()`,
  ]),
  'drop function log_made()',
  'drop function log_changed()',
];
