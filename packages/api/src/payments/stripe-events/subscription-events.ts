import { z } from 'zod';
import { forOrganization } from '../../db/organization-scope.ts';
import type { WorkerDeps } from '../deps.ts';
import type { Db } from '../../db/schema.ts';
import { enqueueEmail } from '../../mail/queue.ts';
import { findSubscriptions } from '../subscriptions/find-subscriptions.ts';
import { syncSubscription } from '../subscriptions/sync-subscription.ts';
import { createHandlers, type Handler, type Handlers, type Outcome } from './event-handler.ts';
import { isEventHandled, markEventHandled } from './handled-events.ts';
import { findOrganizationByAccount, findClaimedOrganization } from './find-organization.ts';
import {
  Metadata,
  Reference,
  StripeId,
  StripeText,
  type EventWith,
} from '../stripe/stripe-event.ts';

const SUBSCRIPTION_EVENTS = [
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'customer.subscription.paused',
  'customer.subscription.resumed',
] as const;

const INVOICE_EVENTS = [
  'invoice.paid',
  'invoice.payment_failed',
  // The first invoice, after the bank returned its debit.
  'invoice.voided',
] as const;

const Subscription = z.object({ id: StripeId, metadata: Metadata });
type Subscription = z.infer<typeof Subscription>;

/**
 * Uses only the subscription's id and metadata from the payload. Fetches the subscription and
 * updates it.
 */
const handleSubscription: Handler<Subscription> = async (deps, event) =>
  await syncFromEvent(deps, event, event.data.object);

const SubscriptionDetails = z.object({ subscription: Reference, metadata: Metadata });

const Invoice = z.object({
  id: StripeId.nullish(),
  parent: z.object({ subscription_details: SubscriptionDetails.nullish() }).nullish(),
  // Webhook endpoints with an older version of Stripe's API have these two fields instead of
  // `parent`.
  subscription: Reference,
  subscription_details: z.object({ metadata: Metadata }).nullish(),
});
type Invoice = z.infer<typeof Invoice>;

/** An invoice contains the id of its subscription and a copy of its metadata. */
const handleInvoice: Handler<Invoice> = async (deps, event) => {
  const { id } = event.data.object;
  const { subscription, metadata } = subscriptionOfInvoice(event.data.object);
  if (!subscription || !id) return 'ignored';
  const paid = event.type === 'invoice.paid' ? { paidInvoiceId: id } : {};
  return await syncFromEvent(deps, event, { id: subscription, metadata }, paid);
};

const subscriptionOfInvoice = ({ parent, subscription, subscription_details }: Invoice) =>
  parent?.subscription_details ?? { subscription, metadata: subscription_details?.metadata ?? {} };

/**
 * Returns the organization of a subscription: named in the metadata, or known from our database.
 */
async function findSubscriptionOrganization(
  db: Db,
  account: string | undefined,
  subscription: { id: string; metadata: Record<string, string> },
): Promise<string | undefined> {
  if (subscription.metadata['plan_id']) {
    const claimedBy = await findClaimedOrganization(db, account, subscription);
    if (claimedBy) return claimedBy;
  }
  const id = await findOrganizationByAccount(db, account);
  return id && (await findSubscriptions(db, id, [subscription.id])).size > 0 ? id : undefined;
}

async function syncFromEvent(
  deps: WorkerDeps,
  event: EventWith<unknown>,
  subscription: { id: string; metadata: Record<string, string> },
  paid: { paidInvoiceId?: string } = {},
): Promise<Outcome> {
  const { account } = event;
  const organizationId = await findSubscriptionOrganization(deps.db, account, subscription);
  if (!organizationId || !account) return 'ignored';
  const ref = { organizationId, account, subscriptionId: subscription.id, event };
  return await syncSubscription(deps, { ...ref, ...paid });
}

const FailedSetup = z.object({ id: StripeId, metadata: Metadata });
/** Platforms may choose their own customer ids, so they need not start with `cus_`. */
const Customer = z.union(
  [StripeText, z.object({ id: StripeText }).transform(({ id }) => id)],
  'must be an identifier, or an object with an identifier.',
);
const Setup = FailedSetup.extend({ customer: Customer.nullish() });

/**
 * Handles a setup intent that succeeded: a donor entered another card.
 *
 * The page usually saves the card itself, unless it was closed too early. The event may arrive
 * late, so the latest setup intent is used.
 */
const handleSetupSucceeded: Handler<z.infer<typeof Setup>> = async (deps, event) => {
  const { customer, metadata } = event.data.object;
  const { account } = event;
  const organizationId = await findClaimedOrganization(deps.db, account, { metadata });
  if (!organizationId || !account || !customer) return 'ignored';
  if (await isEventHandled(deps.db, organizationId, event.id)) return 'duplicate';
  const subscription = await forOrganization(deps.db, organizationId)
    .selectFrom('recurring_plan')
    .select(['processor_subscription_id as id', 'status'])
    .where('processor_customer_id', '=', customer)
    .executeTakeFirst();
  if (!subscription || subscription.status === 'canceled') return 'ignored';
  const target = { subscriptionId: subscription.id, customerId: customer, stripeAccount: account };
  const latestSetupIntent = await deps.processor.findLatestSetupIntent(target);
  if (latestSetupIntent) await deps.processor.changeSubscriptionCard(target, latestSetupIntent);
  return await syncSubscription(deps, {
    organizationId,
    account,
    subscriptionId: subscription.id,
    event,
  });
};

/**
 * Handles a card that was declined on the page of a subscription. The setup intent is canceled, so
 * that stolen cards cannot be tested on it; the page's script creates a new one for each attempt:
 * docs/decisions/0047-card-testing.md
 */
const handleSetupFailed: Handler<z.infer<typeof FailedSetup>> = async (
  { db, processor },
  event,
) => {
  const { id, metadata } = event.data.object;
  const { account } = event;
  const organizationId = await findClaimedOrganization(db, account, { metadata });
  if (!organizationId || !account || !metadata['plan_id']) return 'ignored';
  if (await isEventHandled(db, organizationId, event.id)) return 'duplicate';
  await processor.cancelSetupIntent(id, account);
  return (await markEventHandled(db, organizationId, event)) ? 'recorded' : 'duplicate';
};

const Mandate = z.object({ id: StripeId, status: StripeText, payment_method: Reference });

/**
 * Handles the end of a mandate: the bank account of recurring donations can no longer be charged. An inactive mandate
 * never becomes active again, so the order of events does not matter.
 */
const handleMandate: Handler<z.infer<typeof Mandate>> = async ({ db }, event) => {
  const { status, payment_method } = event.data.object;
  const organizationId = await findOrganizationByAccount(db, event.account);
  if (!organizationId || !payment_method || status !== 'inactive') return 'ignored';
  return await db.transaction().execute(async (tx): Promise<Outcome> => {
    if (!(await markEventHandled(tx, organizationId, event))) return 'duplicate';
    const plans = await forOrganization(tx, organizationId)
      .updateTable('recurring_plan')
      .set({ payment_method_lost_at: new Date(event.created * 1000) })
      .where('payment_method_id', '=', payment_method)
      .where('status', '<>', 'canceled')
      .where('payment_method_lost_at', 'is', null)
      .returning('id')
      .execute();
    for (const { id: planId } of plans) {
      const kind = 'plan_method_lost';
      await enqueueEmail(tx, { kind, organizationId, planId, occasion: payment_method });
    }
    return plans.length > 0 ? 'recorded' : 'duplicate';
  });
};

/** Stripe events about subscriptions, their invoices and their payment methods. */
export const subscriptionEvents: Handlers = new Map([
  ...createHandlers(SUBSCRIPTION_EVENTS, Subscription, handleSubscription),
  ...createHandlers(INVOICE_EVENTS, Invoice, handleInvoice),
  ...createHandlers(['mandate.updated'], Mandate, handleMandate),
  ...createHandlers(['setup_intent.succeeded'], Setup, handleSetupSucceeded),
  ...createHandlers(['setup_intent.setup_failed'], FailedSetup, handleSetupFailed),
]);
