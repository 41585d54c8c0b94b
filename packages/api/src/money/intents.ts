import type { Selectable } from 'kysely';
import type { WorkerDeps } from '../env.ts';
import type { Db } from '../db/database.ts';
import type { Database } from '../db/schema.ts';
import type { PaymentSnapshot } from '../processor/payments.ts';

type IntentRow = Selectable<Database['payment_intent']>;

/** What was agreed when a gift was begun; undefined where that was lost in a crash. */
export const findIntent = (db: Db, paymentIntentId: string): Promise<IntentRow | undefined> =>
  db.selectFrom('payment_intent').selectAll().where('id', '=', paymentIntentId).executeTakeFirst();

/**
 * Which of these payments were begun here as gifts to the organization, whatever they say of themselves at
 * the processor: others may edit that. A plan's first payment is told by its invoice.
 */
export async function findOwnIntents(
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
export async function matchesIntent(
  { db, log }: Pick<WorkerDeps, 'db' | 'log'>,
  organizationId: string,
  payment: PaymentSnapshot,
): Promise<boolean> {
  const intent = await findIntent(db, payment.paymentIntentId);
  if (!intent) return true;
  const what = { intent: payment.paymentIntentId, organization: organizationId };
  if (intent.organization_id !== organizationId) {
    log.warn(what, 'a gift that was begun for another organization is refused');
    return false;
  }
  const differs = describeMismatch(intent, payment);
  if (differs) log.warn({ ...what, differs }, 'a gift was paid otherwise than it was begun');
  return true;
}

/** In a sentence; undefined where it was paid as it was begun. */
export function describeMismatch(
  intent: Pick<IntentRow, 'amount_cents' | 'currency'>,
  paid: { amountCents: number; currency: string },
): string | undefined {
  if (intent.amount_cents === paid.amountCents && intent.currency === paid.currency)
    return undefined;
  return `begun as ${intent.amount_cents} ${intent.currency}, paid as ${paid.amountCents} ${paid.currency}`;
}
