import type { Transaction } from 'kysely';
import type { Database } from '../db/schema.ts';
import { newId } from '../id.ts';
import type { GiftDispute } from '../processor/after.ts';

/**
 * Keeps a donation's disputes as the processor tells them. The donation's row is locked.
 *
 * @returns `told`: how many were opened or decided since; `kept`: how many are written anew, with
 * those that need nobody's attention
 */
export async function keepDisputes(
  tx: Transaction<Database>,
  donation: { id: string; organization_id: string },
  disputes: readonly GiftDispute[],
): Promise<{ told: number; kept: number }> {
  const rows = await tx
    .selectFrom('donation_dispute')
    .select(['processor_dispute_id', 'status', 'amount_cents', 'answer_until'])
    .where('donation_id', '=', donation.id)
    .execute();
  const before = new Map(rows.map((row) => [row.processor_dispute_id, row]));
  const changes = { told: 0, kept: 0 };
  for (const dispute of disputes) {
    const known = before.get(dispute.id);
    if (dispute.status !== (known?.status ?? 'none')) changes.told += 1;
    if (known?.status === dispute.status && sameTerms(known, dispute)) continue;
    await keep(tx, donation, dispute);
    changes.kept += 1;
  }
  return changes;
}

const sameTerms = (
  known: { amount_cents: number; answer_until: Date | null },
  { amountCents, answerUntil }: GiftDispute,
) => known.amount_cents === amountCents && known.answer_until?.getTime() === answerUntil?.getTime();

function keep(
  tx: Transaction<Database>,
  donation: { id: string; organization_id: string },
  dispute: GiftDispute,
) {
  const terms = {
    amount_cents: dispute.amountCents,
    status: dispute.status,
    answer_until: dispute.answerUntil,
  };
  return tx
    .insertInto('donation_dispute')
    .values({
      ...terms,
      id: newId('dsp'),
      organization_id: donation.organization_id,
      donation_id: donation.id,
      processor_dispute_id: dispute.id,
      reason: dispute.reason,
      created_at: dispute.createdAt,
    })
    .onConflict((conflict) => conflict.column('processor_dispute_id').doUpdateSet(terms))
    .execute();
}
