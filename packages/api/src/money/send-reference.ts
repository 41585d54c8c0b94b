import type { WorkerDeps } from '../env.ts';
import type { PaymentSnapshot } from '../processor/payments.ts';

/** A donation that has been recorded, with what the processor told of its payment intent. */
export interface RecordedPayment {
  organizationId: string;
  /** The organization's account at the processor. */
  account: string;
  payment: Pick<PaymentSnapshot, 'paymentIntentId' | 'metadata'>;
}

/**
 * Writes a donation's reference into the metadata of its payment intent, where it is missing or another one.
 *
 * A single donation's intent is created with it. The intents of a subscription's invoices are created by the
 * processor, which does not copy metadata to them: docs/decisions/0086-references.md
 *
 * A failure of the processor is logged and not passed on, because the donation is recorded: the next event about it
 * and each reconciliation try again.
 *
 * @returns whether the processor was told
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
      'the processor was not told the reference of a donation; trying again later',
    );
    return false;
  }
}
