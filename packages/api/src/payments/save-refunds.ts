import type { Transaction } from 'kysely';
import type { Database } from '../db/schema.ts';
import { newId } from '../lib/id.ts';
import { enqueueRefund } from '../mail/queue.ts';
import { countsAsRefunded, type RefundSnapshot } from './stripe/map-refunds-disputes.ts';

/**
 * Saves a donation's refunds as fetched from Stripe and enqueues an e-mail to the donor for each
 * new refund. The caller holds the lock on the donation's row.
 *
 * @returns how many refunds started or stopped counting as refunded
 */
export async function saveRefunds(
  tx: Transaction<Database>,
  donation: { id: string; organization_id: string },
  refunds: readonly RefundSnapshot[],
): Promise<number> {
  const rows = await tx
    .selectFrom('donation_refund')
    .select(['processor_refund_id', 'status'])
    .where('donation_id', '=', donation.id)
    .execute();
  const storedById = new Map(rows.map((row) => [row.processor_refund_id, row]));
  let changes = 0;
  for (const refund of refunds) {
    const stored = storedById.get(refund.id);
    if (stored?.status === refund.status) continue;
    const wasCounted = stored ? countsAsRefunded(stored) : false;
    if (countsAsRefunded(refund) !== wasCounted) changes += 1;
    if (countsAsRefunded(refund) && !wasCounted && isRecent(refund))
      await enqueueRefundEmail(tx, donation, refund);
    await upsertRefund(tx, donation, refund);
  }
  return changes;
}

/**
 * The donor gets an e-mail only about a refund of the last 3 days, not when reconciliation finds an
 * old one.
 */
const RECENT_MS = 3 * 86_400_000;
const isRecent = ({ createdAt }: RefundSnapshot) => Date.now() - createdAt.getTime() < RECENT_MS;

const enqueueRefundEmail = (
  tx: Transaction<Database>,
  { id, organization_id }: { id: string; organization_id: string },
  refund: RefundSnapshot,
) =>
  enqueueRefund(tx, organization_id, {
    donationId: id,
    refundId: refund.id,
    refundedCents: refund.amountCents,
  });

const upsertRefund = (
  tx: Transaction<Database>,
  donation: { id: string; organization_id: string },
  refund: RefundSnapshot,
) =>
  tx
    .insertInto('donation_refund')
    .values({
      id: newId('ref'),
      organization_id: donation.organization_id,
      donation_id: donation.id,
      processor_refund_id: refund.id,
      amount_cents: refund.amountCents,
      status: refund.status,
      reason: refund.reason,
      failure_reason: refund.failureReason,
      created_at: refund.createdAt,
    })
    .onConflict((conflict) =>
      conflict
        .column('processor_refund_id')
        .doUpdateSet({ status: refund.status, failure_reason: refund.failureReason }),
    )
    .execute();
