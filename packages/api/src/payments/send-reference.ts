import type { WorkerDeps } from './deps.ts';
import type { PaymentSnapshot } from './stripe/payments.ts';

/** A donation that has been recorded, with its payment intent as fetched from Stripe. */
export interface RecordedPayment {
  organizationId: string;
  /** Id of the organization's Stripe account. */
  account: string;
  payment: Pick<PaymentSnapshot, 'paymentIntentId' | 'metadata'>;
}

/**
 * Saves a donation's reference in the metadata of its payment intent if it is missing or different.
 *
 * The payment intent of a one-time donation is created with the reference. Stripe creates the
 * payment intents of a subscription's invoices and does not copy metadata to them:
 * docs/decisions/0086-donation-references.md
 *
 * A failure of Stripe is logged and not thrown, because the donation is recorded: the next event
 * about it and each reconciliation try again.
 *
 * @returns whether the metadata was updated
 */
export async function sendReference(
  { db, processor, log }: Pick<WorkerDeps, 'db' | 'processor' | 'log'>,
  { organizationId, account, payment }: RecordedPayment,
): Promise<boolean> {
  const { paymentIntentId: intent, metadata } = payment;
  const donation = await db
    .selectFrom('donation')
    .select('reference')
    .where('organization_id', '=', organizationId)
    .where('processor_payment_intent_id', '=', intent)
    .executeTakeFirst();
  if (!donation || donation.reference === metadata['reference']) return false;
  try {
    await processor.setReference(intent, donation.reference, account);
    return true;
  } catch (err) {
    log.warn(
      { err, intent },
      'the reference of a donation could not be sent to Stripe; it will be retried',
    );
    return false;
  }
}
