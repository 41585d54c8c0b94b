import type { Transaction } from 'kysely';
import type { Database } from '../db/schema.ts';
import { newId } from '../id.ts';
import { enqueueRefund } from '../mail/queue.ts';
import { counts, type GiftRefund } from '../processor/after.ts';

/**
 * Keeps a donation's refunds as the processor tells them. The donation's row is locked.
 *
 * @returns how many began or ceased to count since
 */
export async function keepRefunds(
  tx: Transaction<Database>,
  donation: { id: string; organization_id: string },
  refunds: readonly GiftRefund[],
): Promise<number> {
  const kept = await tx
    .selectFrom('donation_refund')
    .select(['processor_refund_id', 'status'])
    .where('donation_id', '=', donation.id)
    .execute();
  const before = new Map(kept.map((row) => [row.processor_refund_id, row]));
  let changes = 0;
  for (const refund of refunds) {
    const known = before.get(refund.id);
    if (known?.status === refund.status) continue;
    const counted = known ? counts(known) : false;
    if (counts(refund) !== counted) changes += 1;
    if (counts(refund) && !counted && isNews(refund)) await tell(tx, donation, refund);
    await keep(tx, donation, refund);
  }
  return changes;
}

/** The donor hears of a refund when it is made, not when a lost event is found a season later. */
const NEWS_MS = 3 * 86_400_000;
const isNews = ({ createdAt }: GiftRefund) => Date.now() - createdAt.getTime() < NEWS_MS;

const tell = (
  tx: Transaction<Database>,
  { id, organization_id }: { id: string; organization_id: string },
  refund: GiftRefund,
) =>
  enqueueRefund(tx, organization_id, {
    donationId: id,
    refundId: refund.id,
    refundedCents: refund.amountCents,
  });

const keep = (
  tx: Transaction<Database>,
  donation: { id: string; organization_id: string },
  refund: GiftRefund,
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
