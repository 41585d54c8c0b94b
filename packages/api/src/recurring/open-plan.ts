import { ConnectError, type DonationTerms, type PaymentIntent } from '@connect-embed/contract';
import type { WorkDeps } from '../env.ts';
import type { PayableOrganization } from '../auth/organization.ts';
import type { IntentRequest } from '../processor/intents.ts';
import type { PlanFrequency } from '../processor/plan-truth.ts';
import { amountsOf } from './amounts.ts';
import { feeCoverOf } from './fee-cover.ts';
import { writePlan } from './write-plan.ts';

/**
 * Opens a gift that repeats, and keeps its plan as `incomplete` until its first payment is told of.
 *
 * The plan's id follows from the key of the request: a repetition after a crash is the same plan.
 *
 * @returns the first payment, in the shape of every other, and the plan's id
 */
export async function openPlan(
  { db, processor }: Pick<WorkDeps, 'db' | 'processor'>,
  organization: PayableOrganization,
  request: IntentRequest & { frequency: PlanFrequency },
  terms: DonationTerms | undefined,
): Promise<{ intent: PaymentIntent; plan_id: string }> {
  const { intent, truth } = await processor.createPlan(organization, {
    ...request,
    amounts: amountsOf(terms, request.frequency),
    feeCover: feeCoverOf(terms, request.fee_cover_cents),
  });
  try {
    // A repetition is answered with what was true at first, so this never replaces a reading.
    await db
      .transaction()
      .execute((tx) => writePlan(tx, { organizationId: organization.id, truth, reading: 0 }));
  } catch (cause) {
    throw new ConnectError('unavailable', 'The gift could not be kept; nothing was charged.', {
      cause,
    });
  }
  return { intent, plan_id: truth.metadata['plan_id']! };
}
