import { createHash } from 'node:crypto';
import { ConnectError } from '@connect-embed/contract';
import { forOrganization } from '../db/organization-scope.ts';
import type { Db, Tx } from '../db/schema.ts';
import { newId } from '../lib/id.ts';
import { lockRefunds, type StoredRefund } from './stored-refunds.ts';
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
  idempotencyKey: string;
  reason: RefundReason;
  /** Null until Stripe has created the refund. */
  processorRefundId: string | null;
}

/**
 * Saves a refund request before Stripe is called, or returns the saved request with the same key.
 * The caller holds the lock on the donation's row.
 *
 * The key contains the number of failed attempts, so that a retry after a failure is a new refund:
 * for 24 hours Stripe replays its response to an idempotency key, including a rejection or a refund
 * that failed. Failures of other requests are not counted: they would change the key of this
 * request, and Stripe would make its refund twice.
 *
 * Only one of several different requests for a donation is processed at a time. Otherwise each
 * would be checked against the amount that was refunded before all of them.
 *
 * The outcome of an earlier request may be unknown, because a crash lost Stripe's response. The
 * refunds must then be fetched first: a different request may exceed the amount that is left, and 24
 * hours after the same request Stripe no longer recognizes its key and would make the refund twice.
 *
 * @param isFetched whether the donation's refunds have just been fetched from Stripe
 * @param check throws if a new request must be rejected
 * @returns undefined if the refunds must be fetched first
 * @throws {ConnectError} `conflict` if another request for the donation is in progress
 */
export async function saveRefundRequest(
  tx: Tx,
  donation: { id: string; organization_id: string },
  input: RefundInput & { personId: string },
  isFetched: boolean,
  check: () => void,
): Promise<RefundRequest | undefined> {
  const refunds = await lockRefunds(tx, donation);
  const same = refunds.filter(
    (refund) =>
      refund.amount_cents === input.amountCents &&
      refund.refunded_before_cents === input.refundedBeforeCents,
  );
  const otherOpen = refunds.filter(
    (refund) => refund.status === 'requested' && !same.includes(refund),
  );
  const failedAttempts = same.filter(({ status }) => status === 'failed').length;
  const idempotencyKey = hashKey(input, failedAttempts);
  const existing = same.find((refund) => refund.idempotency_key === idempotencyKey);
  const isOutcomeUnknown = otherOpen.length > 0 || (existing && hasNoResponse(existing));
  if (isOutcomeUnknown && !isFetched) return undefined;
  const saved = existing && {
    idempotencyKey,
    reason: existing.reason as RefundReason,
    processorRefundId: existing.processor_refund_id,
  };
  if (saved?.processorRefundId) return saved;
  check();
  if (otherOpen.some(({ is_recent }) => is_recent)) throw refundInProgress();
  if (saved) return saved;
  await insertRequest(tx, donation, input, idempotencyKey);
  return { idempotencyKey, reason: input.reason, processorRefundId: null };
}

const insertRequest = (
  tx: Tx,
  donation: { id: string; organization_id: string },
  input: RefundInput & { personId: string },
  idempotencyKey: string,
) =>
  forOrganization(tx, donation.organization_id)
    .insertInto('refund', {
      id: newId('ref'),
      donation_id: donation.id,
      amount_cents: input.amountCents,
      status: 'requested',
      idempotency_key: idempotencyKey,
      refunded_before_cents: input.refundedBeforeCents,
      reason: input.reason,
      note: input.note,
      requested_by: input.personId,
    })
    .execute();

/** Whether Stripe's response to a request must have been lost. */
const hasNoResponse = (refund: StoredRefund) =>
  refund.status === 'requested' && refund.processor_refund_id === null && !refund.is_recent;

/** The idempotency key at Stripe. */
const hashKey = (
  { donationId, refundedBeforeCents, amountCents }: RefundInput,
  failedAttempts: number,
) =>
  createHash('sha256')
    .update([donationId, refundedBeforeCents, amountCents, failedAttempts].join(' '))
    .digest('hex');

const refundInProgress = () =>
  new ConnectError(
    'conflict',
    'This donation cannot be refunded: another refund is in progress. Try again in a minute.',
    { code: 'refund_in_progress' },
  );

/**
 * Saves the id of the refund that Stripe created. `sync` counts the refund in the donation.
 *
 * If `sync` was faster and could not match the refund with its request, the two rows become one. A
 * request that was marked as failed, because Stripe rejected the same request in another process, is
 * open again.
 */
export const completeRefundRequest = (
  db: Db,
  donation: { id: string; organization_id: string },
  idempotencyKey: string,
  processorRefundId: string,
) =>
  db.transaction().execute(async (tx) => {
    const own = forOrganization(tx, donation.organization_id);
    const refunds = await lockRefunds(tx, donation);
    const request = refunds.find((refund) => refund.idempotency_key === idempotencyKey);
    if (!request || request.processor_refund_id) return;
    const unmatched = refunds.find((refund) => refund.processor_refund_id === processorRefundId);
    if (unmatched) await own.deleteFrom('refund').where('id', '=', unmatched.id).execute();
    await own
      .updateTable('refund')
      .set({
        processor_refund_id: processorRefundId,
        status: unmatched?.status ?? 'requested',
        failure_reason: unmatched?.failure_reason ?? null,
      })
      .where('id', '=', request.id)
      .execute();
  });

/**
 * Marks a request as failed if Stripe rejected it. After any other error the outcome is unknown,
 * and the request stays open.
 */
export async function rejectRefundRequest(
  db: Db,
  donation: { organization_id: string },
  idempotencyKey: string,
  error: unknown,
): Promise<void> {
  if (!(error instanceof ConnectError) || error.code !== 'refund_not_possible') return;
  await forOrganization(db, donation.organization_id)
    .updateTable('refund')
    .set({ status: 'failed', failure_reason: error.message })
    .where('idempotency_key', '=', idempotencyKey)
    .where('status', '=', 'requested')
    .where('processor_refund_id', 'is', null)
    .execute();
}
