import type { Transaction } from 'kysely';
import { z } from 'zod';
import { forOrganization } from '../db/organization-scope.ts';
import type { Database } from '../db/schema.ts';
import { Metadata, StripeId, StripeText, type EventWith } from './stripe/stripe-event.ts';

/** The fields that are read of a payment intent whose payment failed. */
export const FailedIntent = z.object({
  id: StripeId,
  metadata: Metadata,
  amount: z.int().positive(),
  currency: z.string().regex(/^[a-z]{3}$/, 'must be three lowercase letters, such as usd.'),
  last_payment_error: z
    .object({
      decline_code: StripeText.nullish(),
      code: StripeText.nullish(),
      message: StripeText.nullish(),
    })
    .nullish(),
});
export type FailedIntent = z.infer<typeof FailedIntent>;

/**
 * Records a failed payment on its payment intent.
 *
 * The donor may have retried: a succeeded intent stays succeeded, and an older failure does not
 * replace a newer one. Every failure is counted, in whatever order the events arrive.
 */
export async function recordPaymentFailure(
  tx: Transaction<Database>,
  organizationId: string,
  event: EventWith<FailedIntent>,
): Promise<void> {
  const intent = event.data.object;
  const failure = failureOf(event);
  await forOrganization(tx, organizationId)
    .insertInto('payment_intent', {
      ...failure,
      id: intent.id,
      amount_cents: intent.amount,
      currency: intent.currency,
      source: intent.metadata['source'] === 'embed' ? 'embed' : 'api',
      source_id: intent.metadata['source_id'] ?? '',
    })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet(failure)
        // An organization with its own Stripe keys can sign an event that names any payment intent.
        .where('payment_intent.organization_id', '=', organizationId)
        .where('payment_intent.status', '<>', 'succeeded')
        .where((eb) =>
          eb.or([
            eb('payment_intent.status_at', 'is', null),
            eb('payment_intent.status_at', '<=', failure.status_at),
          ]),
        ),
    )
    .execute();
  await forOrganization(tx, organizationId)
    .updateTable('payment_intent')
    .set((eb) => ({ failed_attempts: eb('failed_attempts', '+', 1) }))
    .where('id', '=', intent.id)
    .execute();
}

function failureOf({ created, data }: EventWith<FailedIntent>) {
  const { last_payment_error: error } = data.object;
  return {
    status: 'failed',
    status_at: new Date(created * 1000),
    failure_code: error?.decline_code ?? error?.code ?? null,
    failure_message: error?.message ?? null,
  } as const;
}
