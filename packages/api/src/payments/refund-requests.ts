import { ConnectError } from '@connect-embed/contract';
import { sql } from 'kysely';
import type { Db } from '../db/schema.ts';
import type { RefundReason } from './stripe/refunds.ts';

/** A refund that a user of the dashboard requests. */
export interface RefundInput {
  donationId: string;
  amountCents: number;
  reason: RefundReason;
  /** Internal note for the organization's staff. Never shown to the donor. */
  note: string | null;
  /**
   * The refunded amount that the user's page showed. A request from an outdated page is rejected.
   */
  refundedBeforeCents: number;
}

/** A saved refund request. A repeated request returns the values of the first one. */
export interface RefundRequest {
  key: string;
  reason: RefundReason;
  /** Null until Stripe has created the refund. */
  processorRefundId: string | null;
}

/**
 * Age at which a request without a response no longer blocks other refunds. Its outcome is then
 * fetched from Stripe.
 */
const REQUEST_TIMEOUT_SECONDS = 60;

/**
 * Saves a refund request before Stripe is called, or returns the saved request with the same key.
 *
 * The key contains the number of failed attempts, so that a retry after a failure is a new refund:
 * for 24 hours Stripe replays its response to an idempotency key, including a rejection or a refund
 * that failed.
 *
 * Only one of several different requests for a donation is processed at a time. Otherwise each
 * would be checked against the amount that was refunded before all of them.
 *
 * @param check throws if a new request must be rejected
 * @throws {ConnectError} `conflict` if another request for the donation is in progress
 */
export const createRefundRequest = (
  db: Db,
  donation: { id: string; organization_id: string },
  input: RefundInput,
  personId: string,
  check: (tx: Db) => Promise<void>,
): Promise<RefundRequest> =>
  db.transaction().execute(async (tx) => {
    await sql`select from donation where id = ${donation.id} for update`.execute(tx);
    const { donationId, refundedBeforeCents, amountCents } = input;
    const failedAttempts = await countFailedAttempts(tx, input);
    const key = [donationId, refundedBeforeCents, amountCents, failedAttempts].join(' ');
    const existing = await findRequest(tx, key);
    if (existing?.processorRefundId) return existing;
    await check(tx);
    if (await hasOtherOpenRequest(tx, input, REQUEST_TIMEOUT_SECONDS)) throw refundInProgress();
    if (existing) return existing;
    await tx
      .insertInto('refund_request')
      .values({
        key,
        organization_id: donation.organization_id,
        donation_id: donation.id,
        amount_cents: amountCents,
        refunded_before_cents: refundedBeforeCents,
        reason: input.reason,
        note: input.note,
        requested_by: personId,
      })
      .execute();
    return { key, reason: input.reason, processorRefundId: null };
  });

const refundInProgress = () =>
  new ConnectError(
    'conflict',
    'This donation cannot be refunded: another refund is in progress. Try again in a minute.',
    { code: 'refund_in_progress' },
  );

/**
 * Whether the donation has a different refund request whose refund is not recorded here.
 *
 * @param maxAgeSeconds ignores older requests; no limit if omitted
 */
export async function hasOtherOpenRequest(
  db: Db,
  input: RefundInput,
  maxAgeSeconds?: number,
): Promise<boolean> {
  let query = db
    .selectFrom('refund_request as request')
    .leftJoin(
      'donation_refund as refund',
      'refund.processor_refund_id',
      'request.processor_refund_id',
    )
    .select('request.key')
    .where('request.donation_id', '=', input.donationId)
    .where('refund.id', 'is', null)
    .where('request.rejected_at', 'is', null)
    .where((eb) =>
      eb.or([
        eb('request.amount_cents', '!=', input.amountCents),
        eb('request.refunded_before_cents', '!=', input.refundedBeforeCents),
      ]),
    );
  if (maxAgeSeconds !== undefined) {
    query = query.where(
      sql<boolean>`request.created_at > now() - ${maxAgeSeconds} * interval '1 second'`,
    );
  }
  return (await query.limit(1).executeTakeFirst()) !== undefined;
}

/**
 * Counts how often a request with the same donation and amounts was rejected, or was made and
 * failed at the donor's bank. Failures of other requests are not counted: they would change the key
 * of this request, and Stripe would make its refund twice.
 */
async function countFailedAttempts(db: Db, input: RefundInput): Promise<number> {
  const { count } = await db
    .selectFrom('refund_request as request')
    .leftJoin(
      'donation_refund as refund',
      'refund.processor_refund_id',
      'request.processor_refund_id',
    )
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('request.donation_id', '=', input.donationId)
    .where('request.amount_cents', '=', input.amountCents)
    .where('request.refunded_before_cents', '=', input.refundedBeforeCents)
    .where((eb) =>
      eb.or([
        eb('request.rejected_at', 'is not', null),
        eb('refund.status', 'in', ['failed', 'canceled']),
      ]),
    )
    .executeTakeFirstOrThrow();
  return Number(count);
}

async function findRequest(db: Db, key: string): Promise<RefundRequest | undefined> {
  const row = await db
    .selectFrom('refund_request')
    .selectAll()
    .where('key', '=', key)
    .executeTakeFirst();
  return (
    row && {
      key,
      reason: row.reason as RefundReason,
      processorRefundId: row.processor_refund_id,
    }
  );
}

/** Saves the id of the refund that Stripe created. */
export const completeRefundRequest = (db: Db, key: string, processorRefundId: string) =>
  db
    .updateTable('refund_request')
    .set({ processor_refund_id: processorRefundId })
    .where('key', '=', key)
    .execute();

/**
 * Marks a request as rejected if Stripe rejected it. After any other error the outcome is unknown,
 * and the request stays open.
 */
export async function rejectRefundRequest(db: Db, key: string, error: unknown): Promise<void> {
  if (!(error instanceof ConnectError) || error.code !== 'refund_not_possible') return;
  await db
    .updateTable('refund_request')
    .set({ rejected_at: sql<Date>`now()` })
    .where('key', '=', key)
    .where('processor_refund_id', 'is', null)
    .execute();
}
