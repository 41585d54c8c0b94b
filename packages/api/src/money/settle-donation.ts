import type { Selectable, Transaction } from 'kysely';
import type { Database } from '../db/schema.ts';
import { counts } from '../processor/after.ts';
import type { PaidGift } from '../processor/gifts.ts';
import { donationNotice, type Enqueue } from '../webhooks/notice.ts';
import type { GiftReading } from './record-gift.ts';
import { keepDisputes } from './keep-disputes.ts';
import { keepRefunds } from './keep-refunds.ts';
import type { DisputeState } from './tables.ts';

type Tx = Transaction<Database>;
type DonationRow = Selectable<Database['donation']>;

/**
 * Sets fee, refunds and disputes of a donation to what the processor told, unless a later answer
 * stands already. A notice leaves for each refund that began or failed, and for each dispute that
 * was opened or decided: once each, for the donation's row is locked while they are compared.
 *
 * @returns whether anything changed
 */
export async function settleDonation(
  tx: Tx,
  enqueue: Enqueue,
  { organizationId, gift, reading }: Omit<GiftReading, 'event'>,
): Promise<boolean> {
  const donation = await lock(tx, organizationId, gift.paymentIntentId);
  if (!donation || donation.reading >= reading) return false;
  const refunds = await keepRefunds(tx, donation, gift.refunds);
  const disputes = await keepDisputes(tx, donation, gift.disputes);
  const truth = truthOf(donation, gift);
  await tx
    .updateTable('donation')
    .set({ ...truth, reading })
    .where('id', '=', donation.id)
    .execute();
  for (const type of [
    ...Array<'donation.refunded'>(refunds).fill('donation.refunded'),
    ...Array<'donation.disputed'>(disputes.told).fill('donation.disputed'),
  ]) {
    await enqueue(tx, donationNotice(type, organizationId, donation.id));
  }
  return refunds + disputes.kept > 0 || differs(donation, truth);
}

const lock = (tx: Tx, organizationId: string, paymentIntentId: string) =>
  tx
    .selectFrom('donation')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('processor_payment_intent_id', '=', paymentIntentId)
    .forUpdate()
    .executeTakeFirst();

/** The columns that follow from what the processor tells. */
export function truthOf(
  donation: Pick<DonationRow, 'amount_cents' | 'payment_method' | 'card_brand'>,
  gift: PaidGift,
) {
  const { amount_cents } = donation;
  const returned = gift.refunds
    .filter(counts)
    .reduce((sum, { amountCents }) => sum + amountCents, 0);
  const refunded = Math.min(returned, amount_cents);
  return {
    fee_cents: gift.feeCents,
    refunded_amount_cents: refunded,
    refund_status: refunded === 0 ? 'none' : refunded < amount_cents ? 'partial' : 'full',
    dispute_status: disputeStatus(gift),
    disputed_amount_cents: gift.disputedCents,
    payment_method: gift.paymentMethod ?? donation.payment_method,
    card_brand: gift.cardBrand ?? donation.card_brand,
  };
}

/** Which columns are not what the processor tells. */
export const differencesOf = (donation: DonationRow, truth: ReturnType<typeof truthOf>) =>
  (Object.keys(truth) as (keyof typeof truth)[]).filter((key) => donation[key] !== truth[key]);

const differs = (donation: DonationRow, truth: ReturnType<typeof truthOf>) =>
  differencesOf(donation, truth).length > 0;

/** Of several disputes the one that needs somebody counts, then the one that cost something. */
function disputeStatus({ disputes }: PaidGift): DisputeState {
  const order: DisputeState[] = ['open', 'lost', 'won'];
  return order.find((state) => disputes.some(({ status }) => status === state)) ?? 'none';
}
