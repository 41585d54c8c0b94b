import { ConnectError, type DonationTerms, type PaymentIntent } from '@connect-embed/contract';
import type { WorkerDeps } from '../env.ts';
import type { PayableOrganization } from '../auth/organization.ts';
import type { IntentRequest } from '../processor/intents.ts';
import type { SubscriptionFrequency } from '../processor/map-subscription.ts';
import { encodeAmounts } from './amounts.ts';
import { encodeFeeCover } from './fee-cover.ts';
import { saveSubscription } from './save-subscription.ts';

/**
 * Opens a gift that repeats, and keeps its plan as `incomplete` until its first payment is told of.
 *
 * The plan's id follows from the key of the request: a repetition after a crash is the same plan.
 *
 * @returns the first payment, in the shape of every other, and the plan's id
 */
export async function createSubscription(
  { db, processor }: Pick<WorkerDeps, 'db' | 'processor'>,
  organization: PayableOrganization,
  request: IntentRequest & { frequency: SubscriptionFrequency },
  terms: DonationTerms | undefined,
): Promise<{ intent: PaymentIntent; plan_id: string }> {
  const { intent, snapshot } = await processor.createSubscription(organization, {
    ...request,
    amounts: encodeAmounts(terms, request.frequency),
    feeCover: encodeFeeCover(terms, request.fee_cover_cents),
  });
  try {
    // A repetition is answered with what was true at first, so this never replaces a reading.
    await db
      .transaction()
      .execute((tx) =>
        saveSubscription(tx, { organizationId: organization.id, snapshot, reading: 0 }),
      );
  } catch (cause) {
    throw new ConnectError('unavailable', 'The gift could not be kept; nothing was charged.', {
      cause,
    });
  }
  return { intent, plan_id: snapshot.metadata['plan_id']! };
}
