import { sql } from 'kysely';
import { forOrganization } from '../../db/organization-scope.ts';
import type { Db } from '../../db/schema.ts';
import type { WorkerDeps } from '../deps.ts';
import { cancelAtProcessor } from '../fraud/cancel-after-declines.ts';

/** A bank debit is confirmed or rejected within this time. */
const MAX_DAYS = 14;
/** Number of simultaneous payments, far below Stripe's rate limit. */
const PARALLEL_PAYMENTS = 5;

/** Selects the payments of an organization that donors could still make. */
export const selectOpenPayments = (db: Db, organizationId: string) =>
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

/**
 * Cancels the open payments of an organization at Stripe, except those whose money is on its way. Afterwards,
 * `selectOpenPayments` finds the payments that are being completed. Can be repeated.
 *
 * @throws {ConnectError} `unavailable`
 */
export async function cancelOpenPayments(
  { db, processor }: Pick<WorkerDeps, 'db' | 'processor'>,
  organizationId: string,
  account: string,
): Promise<void> {
  const open = await selectOpenPayments(db, organizationId)
    .where('payment_intent.status', '<>', 'processing')
    .execute();
  for (let first = 0; first < open.length; first += PARALLEL_PAYMENTS) {
    const batch = open.slice(first, first + PARALLEL_PAYMENTS);
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
