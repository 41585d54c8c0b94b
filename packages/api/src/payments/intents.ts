import type { Selectable } from 'kysely';
import type { WorkerDeps } from './deps.ts';
import type { Db, Database } from '../db/schema.ts';
import type { PaymentSnapshot } from './stripe/payments.ts';

type IntentRow = Selectable<Database['payment_intent']>;

/**
 * Finds the payment intent as it was created here. Undefined if a crash happened before it was
 * saved.
 */
export const findIntent = (db: Db, paymentIntentId: string): Promise<IntentRow | undefined> =>
  db.selectFrom('payment_intent').selectAll().where('id', '=', paymentIntentId).executeTakeFirst();

/**
 * Returns which of these payment intents were created here as one-time donations to the
 * organization.
 *
 * Does not rely on the metadata at Stripe, because the account's owner can edit it. The first
 * payments of subscriptions are excluded: they are matched by their invoices.
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
 * Compares a succeeded payment with the payment intent that was created here.
 *
 * A payment for another organization is rejected. A different amount or currency is accepted,
 * because the donation must show the money that was moved; it is logged, and `connect reconcile`
 * reports it.
 *
 * @returns whether the donation may be recorded for this organization
 */
export async function matchesIntent(
  { db, log }: Pick<WorkerDeps, 'db' | 'log'>,
  organizationId: string,
  payment: PaymentSnapshot,
): Promise<boolean> {
  const intent = await findIntent(db, payment.paymentIntentId);
  if (!intent) return true;
  const logFields = { intent: payment.paymentIntentId, organization: organizationId };
  if (intent.organization_id !== organizationId) {
    log.warn(logFields, 'payment rejected: its payment intent belongs to another organization');
    return false;
  }
  const differs = describeMismatch(intent, payment);
  if (differs) log.warn({ ...logFields, differs }, 'paid amount differs from the payment intent');
  return true;
}

/** Describes a different amount or currency in a sentence. Undefined if both are the same. */
export function describeMismatch(
  intent: Pick<IntentRow, 'amount_cents' | 'currency'>,
  paid: { amountCents: number; currency: string },
): string | undefined {
  if (intent.amount_cents === paid.amountCents && intent.currency === paid.currency)
    return undefined;
  return `the payment intent is for ${intent.amount_cents} ${intent.currency}, ${paid.amountCents} ${paid.currency} was paid`;
}
