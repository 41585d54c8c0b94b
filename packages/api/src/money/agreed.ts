import type { Selectable } from 'kysely';
import type { WorkDeps } from '../env.ts';
import type { Db } from '../db/database.ts';
import type { Database } from '../db/schema.ts';
import type { PaidGift } from '../processor/gifts.ts';

type KeptIntent = Selectable<Database['payment_intent']>;

/** What was agreed when a gift was begun; undefined where that was lost in a crash. */
export const findAgreed = (db: Db, paymentIntentId: string): Promise<KeptIntent | undefined> =>
  db.selectFrom('payment_intent').selectAll().where('id', '=', paymentIntentId).executeTakeFirst();

/**
 * Which of these payments were begun here as gifts to the organization, whatever they say of themselves at
 * the processor: others may edit that. A plan's first payment is told by its invoice.
 */
export async function begunHere(
  db: Db,
  organizationId: string,
  paymentIntentIds: readonly string[],
): Promise<Set<string>> {
  if (paymentIntentIds.length === 0) return new Set();
  const rows = await db
    .selectFrom('payment_intent')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', 'in', paymentIntentIds)
    .where('plan_id', 'is', null)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/**
 * Holds a gift that was paid against the one that was begun here.
 *
 * Another organization's is refused. Another amount or currency is not: the money has moved, and the
 * books must show what did. It is said aloud, and `connect reconcile` says it again.
 *
 * @returns whether the gift may be recorded for this organization
 */
export async function isAsAgreed(
  { db, log }: Pick<WorkDeps, 'db' | 'log'>,
  organizationId: string,
  gift: PaidGift,
): Promise<boolean> {
  const agreed = await findAgreed(db, gift.paymentIntentId);
  if (!agreed) return true;
  const what = { intent: gift.paymentIntentId, organization: organizationId };
  if (agreed.organization_id !== organizationId) {
    log.warn(what, 'a gift that was begun for another organization is refused');
    return false;
  }
  const differs = differenceFrom(agreed, gift);
  if (differs) log.warn({ ...what, differs }, 'a gift was paid otherwise than it was begun');
  return true;
}

/** In a sentence; undefined where it was paid as it was begun. */
export function differenceFrom(
  agreed: Pick<KeptIntent, 'amount_cents' | 'currency'>,
  paid: { amountCents: number; currency: string },
): string | undefined {
  if (agreed.amount_cents === paid.amountCents && agreed.currency === paid.currency)
    return undefined;
  return `begun as ${agreed.amount_cents} ${agreed.currency}, paid as ${paid.amountCents} ${paid.currency}`;
}
