import { isDebit, PAYMENT_METHOD_TYPES } from '@connect-embed/contract';
import { z } from 'zod';
import { forOrganization } from '../db/organization-scope.ts';
import type { Tx } from '../db/schema.ts';
import { enqueueEmail } from '../mail/queue.ts';
import { lostIntentColumns, payerColumns } from './intent-columns.ts';
import type { PaymentContext } from './payment-context.ts';
import { feeCoverOf } from './record-donation.ts';
import {
  Metadata,
  Reference,
  StripeId,
  StripeText,
  type EventWith,
} from './stripe/stripe-event.ts';
import type { PaymentState } from './stripe/payment-state.ts';

/** The fields that are read of a payment intent whose payment failed. */
export const FailedIntent = z.object({
  id: StripeId,
  metadata: Metadata,
  amount: z.int().positive(),
  currency: z.string().regex(/^[a-z]{3}$/, 'must be three lowercase letters, such as usd.'),
  last_payment_error: z
    .object({
      charge: Reference,
      decline_code: StripeText.nullish(),
      code: StripeText.nullish(),
      message: StripeText.nullish(),
      payment_method: z.object({ type: StripeText }).nullish(),
    })
    .nullish(),
});
export type FailedIntent = z.infer<typeof FailedIntent>;

/** A payment that failed at a time. */
export type PaymentFailure = Omit<PaymentState, 'status' | 'confirmedAt'> & { at: Date };

export function failureOf({ created, livemode, data }: EventWith<FailedIntent>): PaymentFailure {
  const { id, amount, currency, metadata, last_payment_error: error } = data.object;
  return {
    paymentIntentId: id,
    livemode,
    amountCents: amount,
    currency,
    paymentMethod: error?.payment_method?.type ?? null,
    chargeId: error?.charge ?? null,
    failure: { code: error?.decline_code ?? error?.code ?? null, message: error?.message ?? null },
    metadata,
    at: new Date(created * 1000),
  };
}

/** Whether a payment method is, or may be, a card. Others are not used to test stolen cards. */
export const isCard = (type: string | null): boolean =>
  type === 'card' || !PAYMENT_METHOD_TYPES.some((known) => known === type);

/**
 * Records a failed payment on its payment intent. If a bank returned a debit, an email to the donor is queued, who
 * believes that the money is on its way; the first payment of a recurring donation has an email of its own.
 *
 * A later payment of a recurring donation is only removed from those that are on their way: Stripe tries it again, and
 * the recurring donation becomes past due.
 *
 * The donor may have retried: a succeeded intent stays succeeded, and an older failure does not
 * replace a newer one. Every declined card is counted, in whatever order the events arrive.
 */
export async function recordPaymentFailure(
  tx: Tx,
  context: Pick<PaymentContext, 'organizationId' | 'intent'>,
  payment: PaymentFailure,
): Promise<void> {
  const { organizationId } = context;
  const { paymentIntentId, paymentMethod, at } = payment;
  if (context.intent?.is_renewal) {
    await removeRenewal(tx, organizationId, paymentIntentId, at);
    return;
  }
  const isReturned = isDebit(paymentMethod);
  const failed = {
    status: 'failed' as const,
    status_at: at,
    expected_at: null,
    payment_method: paymentMethod,
    failure_code: payment.failure.code,
    failure_message: payment.failure.message,
    ...(isReturned && payerColumns(context, payment.metadata)),
  };
  await forOrganization(tx, organizationId)
    .insertInto('payment_intent', { ...lostIntentColumns(tx, organizationId, payment), ...failed })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet(failed)
        // An organization with its own Stripe keys can sign an event that names any payment intent.
        .where('payment_intent.organization_id', '=', organizationId)
        .where('payment_intent.status', '<>', 'succeeded')
        .where((eb) =>
          eb.or([
            eb('payment_intent.status_at', 'is', null),
            eb('payment_intent.status_at', '<', at),
            // A card that was declined in the same second as a debit was confirmed was tried before it.
            eb('payment_intent.status_at', '=', at).and(
              eb.or([eb.lit(isReturned), eb('payment_intent.status', '<>', 'processing')]),
            ),
          ]),
        ),
    )
    .execute();
  if (isCard(paymentMethod)) {
    await forOrganization(tx, organizationId)
      .updateTable('payment_intent')
      .set((eb) => ({ failed_attempts: eb('failed_attempts', '+', 1) }))
      .where('id', '=', paymentIntentId)
      .execute();
  }
  if (isReturned && !context.intent?.plan_id) {
    const feeCover = feeCoverOf(payment.amountCents, payment.metadata);
    await enqueueEmail(tx, {
      kind: 'donation_returned',
      organizationId,
      paymentIntentId,
      ...(payment.chargeId && { occasion: payment.chargeId }),
      ...(feeCover > 0 && { details: { fee_cover_cents: feeCover } }),
    });
  }
}

const removeRenewal = (tx: Tx, organizationId: string, paymentIntentId: string, at: Date) =>
  forOrganization(tx, organizationId)
    .deleteFrom('payment_intent')
    .where('id', '=', paymentIntentId)
    .where('status', '=', 'processing')
    // Stripe may have tried it again since.
    .where('status_at', '<=', at)
    .execute();
