import { sql, type Kysely } from 'kysely';

/**
 * One table of refunds replaces `refund_request` (requested here) and `donation_refund` (fetched from
 * Stripe): docs/decisions/0034-refunds.md
 *
 * An earlier release does not work without the old tables, so both must not run on one database:
 * docs/operations.md
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `create table refund (
    id text collate "C" primary key,
    organization_id text collate "C" not null references organization,
    donation_id text collate "C" not null references donation on delete cascade,
    amount_cents bigint not null check (amount_cents > 0),
    status text not null check (status in ('requested', 'submitted', 'succeeded', 'failed')),
    idempotency_key text collate "C" unique,
    processor_refund_id text collate "C" unique,
    refunded_before_cents bigint,
    reason text,
    failure_reason text,
    note text,
    requested_by text collate "C",
    created_at timestamptz(3) not null default clock_timestamp(),
    check (idempotency_key is not null or processor_refund_id is not null)
  )`,
  'create index refund_of on refund (donation_id, created_at)',
  // The column contains the idempotency key at Stripe, which is the hash of the old `key`.
  `insert into refund (id, organization_id, donation_id, amount_cents, status, idempotency_key,
      processor_refund_id, refunded_before_cents, reason, failure_reason, note, requested_by, created_at)
    select
      coalesce(fetched.id, 'ref_' || left(translate(gen_random_uuid()::text, '-', ''), 20)),
      coalesce(fetched.organization_id, request.organization_id),
      coalesce(fetched.donation_id, request.donation_id),
      coalesce(fetched.amount_cents, request.amount_cents),
      case
        when fetched.status = 'succeeded' then 'succeeded'
        when fetched.status in ('failed', 'canceled') then 'failed'
        when fetched.status is not null then 'submitted'
        when request.rejected_at is not null then 'failed'
        else 'requested'
      end,
      encode(sha256(convert_to(request.key, 'UTF8')), 'hex'),
      coalesce(fetched.processor_refund_id, request.processor_refund_id),
      request.refunded_before_cents,
      coalesce(fetched.reason, request.reason),
      coalesce(fetched.failure_reason, case
        when fetched.status = 'canceled' then 'canceled'
        when fetched.id is null and request.rejected_at is not null then 'rejected'
      end),
      request.note,
      request.requested_by,
      coalesce(fetched.created_at, request.created_at)
    from donation_refund fetched
    full join refund_request request using (processor_refund_id)`,
  'drop table donation_refund',
  'drop table refund_request',
];
