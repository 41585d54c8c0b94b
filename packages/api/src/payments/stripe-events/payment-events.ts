import { detectAttack, type Alarm } from '../fraud/attack-mode.ts';
import { endPaidReservation } from '../fraud/card-budget.ts';
import { cancelDeclinedIntents, cancelAfterDeclines } from '../fraud/cancel-after-declines.ts';
import type { Db } from '../../db/schema.ts';
import { FailedIntent, recordPaymentFailure } from '../record-payment-failure.ts';
import { matchesIntent } from '../intents.ts';
import { nextRowVersion } from '../row-version.ts';
import { recordPayment } from '../record-payment.ts';
import { sendReference } from '../send-reference.ts';
import { isRecorded } from '../sync-payment.ts';
import { z } from 'zod';
import { createHandlers, type Handler, type Handlers, type Outcome } from './event-handler.ts';
import { isEventHandled, markEventHandled } from './handled-events.ts';
import { findOrganizationByAccount, findClaimedOrganization } from './find-organization.ts';
import { Metadata, StripeId, type EventWith } from '../stripe/stripe-event.ts';

/** Fields used of a payment intent. Amounts are fetched again from Stripe. */
const PaidIntent = z.object({ id: StripeId, metadata: Metadata });

const handleSucceeded: Handler<z.infer<typeof PaidIntent>> = async (deps, event) => {
  const { db, processor } = deps;
  const ownIntent = await findOwnIntent(db, event);
  if (ownIntent) await endPaidReservation(db, event.data.object.id);
  if (ownIntent?.isSubscription)
    return await markSubscriptionPayment(db, ownIntent.organizationId, event);
  const organizationId =
    (await findClaimedOrganization(db, event.account, event.data.object)) ??
    ownIntent?.organizationId;
  if (!organizationId || !event.account) return 'ignored';
  if (await isEventHandled(db, event.id)) return 'duplicate';
  // Fetched before the transaction, so that no database connection waits for Stripe.
  const rowVersion = await nextRowVersion(db);
  const { id } = event.data.object;
  const depth = (await isRecorded(db, organizationId, id)) ? 'everything' : 'fresh';
  const payment = await processor.retrieveSucceededPayment(id, event.account, depth);
  if (!(await matchesIntent(deps, organizationId, payment))) return 'ignored';
  const changed = await recordPayment(deps, { organizationId, payment, rowVersion, event });
  await sendReference(deps, { organizationId, account: event.account, payment });
  return changed ? 'recorded' : 'duplicate';
};

/**
 * Handles the first payment of a subscription. Its donation is recorded by the `invoice.paid`
 * event; here it only counts as a successful card in the detection of card testing.
 */
const markSubscriptionPayment = async (
  db: Db,
  organizationId: string,
  event: { id: string; type: string },
): Promise<Outcome> =>
  (await markEventHandled(db, organizationId, event)) ? 'recorded' : 'duplicate';

/**
 * Finds a payment intent that was created here for the organization of the event's account.
 *
 * Does not rely on the metadata at Stripe: others may edit it, and the first payment of a
 * subscription has none.
 */
async function findOwnIntent(
  db: Db,
  { account, data }: Pick<EventWith<{ id: string }>, 'account' | 'data'>,
): Promise<{ organizationId: string; isSubscription: boolean } | undefined> {
  const organizationId = await findOrganizationByAccount(db, account);
  if (!organizationId) return undefined;
  const row = await db
    .selectFrom('payment_intent')
    .select('plan_id')
    .where('id', '=', data.object.id)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  return row && { organizationId, isSubscription: row.plan_id !== null };
}

const handleFailed: Handler<FailedIntent> = async (deps, event) => {
  const { db, log, baseUrl } = deps;
  const { account } = event;
  const intent = event.data.object;
  const organizationId =
    (await findClaimedOrganization(db, account, intent)) ??
    (await findOwnIntent(db, event))?.organizationId;
  if (!organizationId || !account) return 'ignored';
  let alarm: Alarm | undefined;
  const outcome = await db.transaction().execute(async (tx): Promise<Outcome> => {
    if (!(await markEventHandled(tx, organizationId, event))) return 'duplicate';
    await recordPaymentFailure(tx, organizationId, event);
    alarm = await detectAttack(tx, organizationId, `${baseUrl}/dashboard`);
    return 'recorded';
  });
  if (alarm) {
    log.warn({ alarm }, 'card testing detected');
    const failures = await cancelDeclinedIntents(deps, { organizationId, account });
    if (failures > 0) log.warn({ failures }, 'declined payment intents could not be canceled');
  }
  await cancelAfterDeclines(deps, { intentId: intent.id, account });
  return outcome;
};

/**
 * Stripe events about payments that succeeded or failed. Record donations and detect card testing.
 */
export const paymentEvents: Handlers = new Map([
  ...createHandlers(['payment_intent.succeeded'], PaidIntent, handleSucceeded),
  ...createHandlers(['payment_intent.payment_failed'], FailedIntent, handleFailed),
]);
