import { sql, type Kysely } from 'kysely';

/**
 * Rejected refund requests have a column. Before, a request was marked as rejected by a suffix of its
 * key (`<donation> <refunded before> <amount> <attempt> refused <id>`).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table refund_request
      add column refunded_before_cents bigint,
      add column rejected_at timestamptz(3)`.execute(db);
  await sql`
    update refund_request set
      refunded_before_cents = split_part(key, ' ', 2)::bigint,
      rejected_at = case when split_part(key, ' ', 5) = 'refused' then created_at end`.execute(db);
  await sql`
    alter table refund_request alter column refunded_before_cents set not null`.execute(db);
}
