import type { WorkerDeps } from './deps.ts';
import type { PaymentSnapshot } from './stripe/payments.ts';

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
 * @param payment the payment intent as fetched from Stripe
 * @param reference the reference of the recorded donation
 * @returns whether the metadata was updated
 */
export async function sendReference(
  { processor, log }: Pick<WorkerDeps, 'processor' | 'log'>,
  { account }: { account: string },
  { paymentIntentId: intent, metadata }: Pick<PaymentSnapshot, 'paymentIntentId' | 'metadata'>,
  reference: string,
): Promise<boolean> {
  if (reference === metadata['reference']) return false;
  try {
    await processor.setReference(intent, reference, account);
    return true;
  } catch (err) {
    log.warn(
      { err, intent },
      'the reference of a donation could not be sent to Stripe; it will be retried',
    );
    return false;
  }
}
