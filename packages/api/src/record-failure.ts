import type { Transaction } from 'kysely';
import type Stripe from 'stripe';
import type { Database } from './db/schema.ts';

/**
 * Records on its intent that a payment failed.
 *
 * The donor may have tried again since: an intent that succeeded stays so, and a newer failure is
 * not replaced by an older one. Each counts, in whatever order they come.
 */
export async function recordFailure(
  tx: Transaction<Database>,
  organizationId: string,
  event: Stripe.PaymentIntentPaymentFailedEvent,
): Promise<void> {
  const intent = event.data.object;
  const at = new Date(event.created * 1000);
  const failure = {
    status: 'failed',
    status_at: at,
    failure_code:
      intent.last_payment_error?.decline_code ?? intent.last_payment_error?.code ?? null,
    failure_message: intent.last_payment_error?.message ?? null,
  } as const;
  await tx
    .insertInto('payment_intent')
    .values({
      ...failure,
      id: intent.id,
      organization_id: organizationId,
      amount_cents: intent.amount,
      currency: intent.currency,
      source: intent.metadata['source'] === 'embed' ? 'embed' : 'api',
      source_id: intent.metadata['source_id'] ?? '',
    })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet(failure)
        .where('payment_intent.status', '<>', 'succeeded')
        .where((eb) =>
          eb.or([
            eb('payment_intent.status_at', 'is', null),
            eb('payment_intent.status_at', '<=', at),
          ]),
        ),
    )
    .execute();
  await tx
    .updateTable('payment_intent')
    .set((eb) => ({ failed_attempts: eb('failed_attempts', '+', 1) }))
    .where('id', '=', intent.id)
    .where('organization_id', '=', organizationId)
    .execute();
}
