import { forOrganization } from '../db/organization-scope.ts';
import type { Tx } from '../db/schema.ts';
import { newId } from '../lib/id.ts';
import type { DisputeSnapshot } from './stripe/map-refunds-disputes.ts';

/**
 * Saves a donation's disputes as fetched from Stripe. The caller holds the lock on the donation's
 * row.
 *
 * @returns `statusChanges`: how many disputes were opened or decided, for webhook events; `saved`:
 *   how many rows were written, including those where only the amount or deadline changed
 */
export async function saveDisputes(
  tx: Tx,
  donation: { id: string; organization_id: string },
  disputes: readonly DisputeSnapshot[],
): Promise<{ statusChanges: number; saved: number }> {
  const rows = await forOrganization(tx, donation.organization_id)
    .selectFrom('donation_dispute')
    .select(['processor_dispute_id', 'status', 'amount_cents', 'evidence_due_at'])
    .where('donation_id', '=', donation.id)
    .execute();
  const storedById = new Map(rows.map((row) => [row.processor_dispute_id, row]));
  const changes = { statusChanges: 0, saved: 0 };
  for (const dispute of disputes) {
    const stored = storedById.get(dispute.id);
    if (dispute.status !== (stored?.status ?? 'none')) changes.statusChanges += 1;
    if (stored?.status === dispute.status && hasSameTerms(stored, dispute)) continue;
    await upsertDispute(tx, donation, dispute);
    changes.saved += 1;
  }
  return changes;
}

const hasSameTerms = (
  stored: { amount_cents: number; evidence_due_at: Date | null },
  { amountCents, evidenceDueAt }: DisputeSnapshot,
) =>
  stored.amount_cents === amountCents &&
  stored.evidence_due_at?.getTime() === evidenceDueAt?.getTime();

function upsertDispute(
  tx: Tx,
  donation: { id: string; organization_id: string },
  dispute: DisputeSnapshot,
) {
  const terms = {
    amount_cents: dispute.amountCents,
    status: dispute.status,
    evidence_due_at: dispute.evidenceDueAt,
  };
  return forOrganization(tx, donation.organization_id)
    .insertInto('donation_dispute', {
      ...terms,
      id: newId('dsp'),
      donation_id: donation.id,
      processor_dispute_id: dispute.id,
      reason: dispute.reason,
      created_at: dispute.createdAt,
    })
    .onConflict((conflict) => conflict.column('processor_dispute_id').doUpdateSet(terms))
    .execute();
}
