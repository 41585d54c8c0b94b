import { detectAttack, type Alarm } from '../fraud/attack-mode.ts';
import { endPaidReservation, linkReservationOfReference } from '../fraud/card-budget.ts';
import { cancelDeclinedIntents, cancelAfterDeclines } from '../fraud/cancel-after-declines.ts';
import type { Db } from '../../db/schema.ts';
import {
  FailedIntent,
  failureOf,
  isCard,
  recordPaymentFailure,
} from '../record-payment-failure.ts';
import { isClaimed, loadPaymentContext, ownIntent } from '../payment-context.ts';
import { nextRowVersion } from '../row-version.ts';
import { sync } from '../sync.ts';
import { syncProcessing } from '../sync-unpaid.ts';
import { isDebit } from '@connect-embed/contract';
import { z } from 'zod';
import { createHandlers, type Handler, type Handlers, type Outcome } from './event-handler.ts';
import { markEventHandled } from './handled-events.ts';
import { Metadata, StripeId } from '../stripe/stripe-event.ts';

/** Fields used of a payment intent. Amounts are fetched again from Stripe. */
const PaidIntent = z.object({ id: StripeId, metadata: Metadata });

const handleSucceeded: Handler<z.infer<typeof PaidIntent>> = async (deps, event) => {
  const { db, processor } = deps;
  const intent = event.data.object;
  // Drawn before the context is loaded: a donation that is recorded later has a larger version.
  const version = await nextRowVersion(db);
  // A reservation that is linked to the payment intent was created by this service, so it ends in any case.
  await endPaidReservation(db, event.account, intent.id);
  const context = await loadPaymentContext(db, event.account, intent.id, event.id);
  if (!context) return 'ignored';
  const own = ownIntent(context);
  if (!own && !isClaimed(context, intent)) return 'ignored';
  // An organization with its own Stripe keys can sign an event that names any payment intent.
  if (!context.intent) {
    await linkReservationOfReference(db, context.organizationId, intent);
    await endPaidReservation(db, context.account, intent.id);
  }
  if (own?.plan_id) {
    const handled = { ...event, isCard: isCard(own.payment_method) };
    return await markSubscriptionPayment(db, context.organizationId, handled);
  }
  if (context.isEventHandled) return 'duplicate';
  const depth = context.donation ? 'everything' : 'fresh';
  // Fetched before the transaction, so that no database connection waits for Stripe.
  const payment = await processor.retrieveSucceededPayment(intent.id, context.account, depth);
  const handled = { ...event, isCard: isCard(payment.paymentMethod) };
  return await sync(deps, context, payment, version, handled);
};

/**
 * Handles the first payment of a subscription. Its donation is recorded by the `invoice.paid`
 * event; here it only counts as a successful card in the detection of card testing.
 */
const markSubscriptionPayment = async (
  db: Db,
  organizationId: string,
  event: { id: string; type: string; isCard: boolean },
): Promise<Outcome> =>
  (await markEventHandled(db, organizationId, event)) ? 'recorded' : 'duplicate';

/** Handles a payment that the donor confirmed and whose money arrives days later, such as a bank debit. */
const handleProcessing: Handler<z.infer<typeof PaidIntent>> = async (deps, event) => {
  const intent = event.data.object;
  const context = await loadPaymentContext(deps.db, event.account, intent.id, event.id);
  if (!context) return 'ignored';
  if (!context.intent && isClaimed(context, intent))
    await linkReservationOfReference(deps.db, context.organizationId, intent);
  return await syncProcessing(deps, context, event);
};

const handleFailed: Handler<FailedIntent> = async (deps, event) => {
  const { db, log, baseUrl, processor } = deps;
  const intent = event.data.object;
  const context = await loadPaymentContext(db, event.account, intent.id, event.id);
  if (!context || !(isClaimed(context, intent) || ownIntent(context))) return 'ignored';
  const { organizationId, account } = context;
  if (!context.intent) await linkReservationOfReference(db, organizationId, intent);
  const failure = failureOf(event);
  const isCardDeclined = isCard(failure.paymentMethod) && !ownIntent(context)?.is_renewal;
  const handled = { ...event, isCard: isCardDeclined };
  if (isDebit(failure.paymentMethod)) {
    if (context.isEventHandled) return 'duplicate';
    // The donor may have paid in another way since.
    const { status } = await processor.retrievePaymentState(intent.id, account);
    if (status === 'processing' || status === 'succeeded')
      return (await markEventHandled(db, organizationId, handled)) ? 'recorded' : 'duplicate';
  }
  let alarm: Alarm | undefined;
  const outcome = await db.transaction().execute(async (tx): Promise<Outcome> => {
    if (!(await markEventHandled(tx, organizationId, handled))) return 'duplicate';
    await recordPaymentFailure(tx, context, failure);
    if (isCardDeclined) alarm = await detectAttack(tx, organizationId, `${baseUrl}/dashboard`);
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
 * Handlers of Stripe's events about payments that succeeded, failed or are processing. They record donations and
 * detect card testing.
 */
export const paymentEvents: Handlers = new Map([
  ...createHandlers(['payment_intent.succeeded'], PaidIntent, handleSucceeded),
  ...createHandlers(['payment_intent.processing'], PaidIntent, handleProcessing),
  ...createHandlers(['payment_intent.payment_failed'], FailedIntent, handleFailed),
]);
