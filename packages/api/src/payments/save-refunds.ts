import { forOrganization } from '../db/organization-scope.ts';
import type { Tx } from '../db/schema.ts';
import { newId } from '../lib/id.ts';
import { enqueueRefund } from '../mail/queue.ts';
import { lockRefunds, type StoredRefund } from './stored-refunds.ts';
import { countsAsRefunded, type RefundSnapshot } from './stripe/map-refunds-disputes.ts';

/**
 * Saves a donation's refunds as fetched from Stripe and enqueues an email to the donor for each
 * new refund. The caller holds the lock on the donation's row.
 *
 * @returns how many refunds started or stopped counting as refunded
 */
export async function saveRefunds(
  tx: Tx,
  donation: { id: string; organization_id: string },
  refunds: readonly RefundSnapshot[],
): Promise<number> {
  const rows = await lockRefunds(tx, donation);
  let changes = 0;
  for (const refund of refunds) {
    const stored =
      rows.find((row) => row.processor_refund_id === refund.id) ?? findRequest(rows, refund);
    if (stored?.status === refund.status) continue;
    const wasCounted = stored ? countsAsRefunded(stored) : false;
    if (countsAsRefunded(refund) !== wasCounted) changes += 1;
    if (countsAsRefunded(refund) && !wasCounted && isRecent(refund))
      await enqueueRefund(tx, donation.organization_id, {
        donationId: donation.id,
        refundId: refund.id,
        refundedCents: refund.amountCents,
      });
    if (stored) await updateRefund(tx, donation, stored, refund);
    else await insertRefund(tx, donation, refund);
  }
  return changes;
}

/**
 * Finds the request of a refund whose id at Stripe is not saved, because a crash lost Stripe's
 * response or the refund's event was faster. The request may be marked as failed, if Stripe rejected
 * it in one process and accepted it in another. A failed refund is not matched: it may have the key
 * of a request that Stripe has fulfilled with another refund.
 */
function findRequest(
  rows: readonly StoredRefund[],
  refund: RefundSnapshot,
): StoredRefund | undefined {
  if (!refund.idempotencyKey || !countsAsRefunded(refund)) return undefined;
  return rows.find(
    (row) => row.idempotency_key === refund.idempotencyKey && row.processor_refund_id === null,
  );
}

/**
 * The donor gets an email only about a refund of the last 3 days, not when reconciliation finds an
 * old one.
 */
const RECENT_MS = 3 * 86_400_000;
const isRecent = ({ createdAt }: RefundSnapshot) => Date.now() - createdAt.getTime() < RECENT_MS;

async function updateRefund(
  tx: Tx,
  donation: { organization_id: string },
  stored: StoredRefund,
  refund: RefundSnapshot,
): Promise<void> {
  stored.processor_refund_id = refund.id;
  await forOrganization(tx, donation.organization_id)
    .updateTable('refund')
    .set({
      processor_refund_id: refund.id,
      status: refund.status,
      failure_reason: refund.failureReason,
    })
    .where('id', '=', stored.id)
    .execute();
}

const insertRefund = (
  tx: Tx,
  donation: { id: string; organization_id: string },
  refund: RefundSnapshot,
) =>
  forOrganization(tx, donation.organization_id)
    .insertInto('refund', {
      id: newId('ref'),
      donation_id: donation.id,
      processor_refund_id: refund.id,
      amount_cents: refund.amountCents,
      status: refund.status,
      reason: refund.reason,
      failure_reason: refund.failureReason,
      created_at: refund.createdAt,
    })
    .execute();
