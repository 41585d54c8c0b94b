import { ConnectError, type DonationTerms, type PaymentIntent } from '@connect-embed/contract';
import type { WorkerDeps } from '../deps.ts';
import type { PayableOrganization } from '../../http/credential-organization.ts';
import type { IntentRequest } from '../stripe/intents.ts';
import type { SubscriptionFrequency } from '../stripe/map-subscription.ts';
import { encodeAmounts } from './amounts.ts';
import { encodeFeeCover } from './fee-cover.ts';
import { saveSubscription } from './save-subscription.ts';

/**
 * Creates a subscription at Stripe for a recurring donation and saves it as `incomplete` until an
 * event reports its first payment.
 *
 * The plan id is derived from the idempotency key, so a repeated request finds the same
 * subscription.
 *
 * @returns the payment intent of the first payment, and the plan id
 * @throws {ConnectError} as from Stripe; `unavailable` if the subscription could not be saved
 */
export async function createSubscription(
  { db, processor }: Pick<WorkerDeps, 'db' | 'processor'>,
  organization: PayableOrganization,
  request: IntentRequest & { frequency: SubscriptionFrequency },
  terms: DonationTerms | undefined,
): Promise<{ intent: PaymentIntent; livemode: boolean; plan_id: string }> {
  const { intent, snapshot } = await processor.createSubscription(organization, {
    ...request,
    amounts: encodeAmounts(terms, request.frequency),
    feeCover: encodeFeeCover(terms, request.fee_cover_cents),
    methodChoice: terms?.payment_method_types?.join(),
  });
  try {
    // Stripe replays its first response to a repeated request, so row version 0 never replaces
    // newer data.
    await db
      .transaction()
      .execute((tx) =>
        saveSubscription(tx, { organizationId: organization.id, snapshot, rowVersion: 0 }),
      );
  } catch (cause) {
    const message = 'We could not save this donation. You were not charged.';
    throw new ConnectError('unavailable', message, { cause });
  }
  return { intent, livemode: snapshot.livemode, plan_id: snapshot.metadata['plan_id']! };
}
