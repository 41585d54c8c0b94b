import { sql } from 'kysely';
import { forOrganization } from '../../db/organization-scope.ts';
import type { Db } from '../../db/schema.ts';
import { batchesOf } from '../../lib/batches.ts';
import type { WorkerDeps } from '../deps.ts';
import { cancelAtProcessor } from '../fraud/cancel-after-declines.ts';
import { isDisconnected } from '../stripe/errors.ts';
import type { KeyState } from './key-state.ts';
import { secretKeyOf } from './stored-keys.ts';

/** A bank debit is confirmed or rejected within this time. */
const MAX_DAYS = 14;
/** Number of simultaneous payments, far below Stripe's rate limit. */
const PARALLEL_PAYMENTS = 5;

/** Selects the payments of an organization that donors could still make. */
const selectOpenPayments = (db: Db, organizationId: string) =>
  forOrganization(db, organizationId)
    .selectFrom('payment_intent')
    .leftJoin('recurring_plan', 'recurring_plan.id', 'payment_intent.plan_id')
    .select([
      'payment_intent.id as intentId',
      'recurring_plan.processor_subscription_id as subscriptionId',
    ])
    .where('payment_intent.status', '<>', 'succeeded')
    .where('payment_intent.closed_at', 'is', null)
    .where('payment_intent.created_at', '>', sql<Date>`now() - ${MAX_DAYS} * interval '1 day'`);

/** What an owner can do about a payment that is being completed. */
export const WHEN_COMPLETED =
  'Try again in a few minutes. Payments from bank accounts can take days.';

export async function hasOpenPayments(db: Db, organizationId: string): Promise<boolean> {
  const open = await selectOpenPayments(db, organizationId).limit(1).executeTakeFirst();
  return open !== undefined;
}

/**
 * Cancels the open payments of an organization at Stripe, except those whose money is on its way. Afterwards,
 * only payments that are being completed are open.
 *
 * @returns false if the keys cannot be read, or Stripe does not accept them any more
 * @throws {ConnectError} `unavailable`
 */
export async function tryCancelPayments(
  deps: Pick<WorkerDeps, 'db' | 'processor' | 'keyEncrypter'>,
  organizationId: string,
  { account, stored }: KeyState,
): Promise<boolean> {
  if (!account) return false;
  const field = secretKeyOf(organizationId);
  if (stored && !(await deps.keyEncrypter.decrypt(stored.encrypted_secret_key, field)))
    return false;
  try {
    await cancelOpenPayments(deps, organizationId, account);
    return true;
  } catch (error) {
    if (isDisconnected(error)) return false;
    throw error;
  }
}

/** Can be repeated. */
export async function cancelOpenPayments(
  { db, processor }: Pick<WorkerDeps, 'db' | 'processor'>,
  organizationId: string,
  account: string,
): Promise<void> {
  const open = await selectOpenPayments(db, organizationId)
    .where('payment_intent.status', '<>', 'processing')
    .execute();
  for (const batch of batchesOf(open, PARALLEL_PAYMENTS)) {
    await Promise.all(
      batch.map(async (payment) => {
        await cancelAtProcessor(processor, { ...payment, account });
        if (!(await processor.isIntentCanceled(payment.intentId, account))) return;
        await forOrganization(db, organizationId)
          .updateTable('payment_intent')
          .set({ closed_at: new Date() })
          .where('id', '=', payment.intentId)
          .execute();
      }),
    );
  }
}
