import { z } from 'zod';
import type { WorkerDeps } from '../env.ts';
import type { Db } from '../db/database.ts';
import { findSubscriptions } from '../recurring/find-subscriptions.ts';
import { syncSubscription } from '../recurring/sync-subscription.ts';
import { createHandlers, type Handler, type Handlers, type Outcome } from './event-handler.ts';
import { isEventHandled, markEventHandled } from './handled-events.ts';
import { findOrganizationByAccount, findClaimedOrganization } from './find-organization.ts';
import {
  Metadata,
  Reference,
  StripeId,
  StripeText,
  type EventWith,
} from '../processor/stripe-event.ts';

const SUBSCRIPTION_EVENTS = [
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'customer.subscription.paused',
  'customer.subscription.resumed',
] as const;

const Subscription = z.object({ id: StripeId, metadata: Metadata });
type Subscription = z.infer<typeof Subscription>;

/** Whatever it tells: the plan is asked for and set to what the processor says now. */
const handleSubscription: Handler<Subscription> = async (deps, event) =>
  await syncFromEvent(deps, event, event.data.object);

const SubscriptionDetails = z.object({ subscription: Reference, metadata: Metadata });

const Invoice = z.object({
  id: StripeId.nullish(),
  parent: z.object({ subscription_details: SubscriptionDetails.nullish() }).nullish(),
  // An endpoint that was made for an older version of Stripe's API gets these two instead.
  subscription: Reference,
  subscription_details: z.object({ metadata: Metadata }).nullish(),
});
type Invoice = z.infer<typeof Invoice>;

/** An invoice names its subscription, with a copy of what that says of itself. */
const handleInvoice: Handler<Invoice> = async (deps, event) => {
  const { id } = event.data.object;
  const { subscription, metadata } = subscriptionOfInvoice(event.data.object);
  if (!subscription || !id) return 'ignored';
  const paid = event.type === 'invoice.paid' ? { paidInvoiceId: id } : {};
  return await syncFromEvent(deps, event, { id: subscription, metadata }, paid);
};

const subscriptionOfInvoice = ({ parent, subscription, subscription_details }: Invoice) =>
  parent?.subscription_details ?? { subscription, metadata: subscription_details?.metadata ?? {} };

/** The organization whose plan a subscription is: it is known here, or says so. */
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
/** A platform may choose the identifiers of its own customers. */
const Customer = z.union(
  [StripeText, z.object({ id: StripeText }).transform(({ id }) => id)],
  'must be an identifier, or an object that has one.',
);
const Setup = FailedSetup.extend({ customer: Customer.nullish() });

/**
 * A donor has set up another card. The page that they did it on says so too, unless it was closed too
 * soon; the newest card counts, for this may come late.
 */
const handleSetupSucceeded: Handler<z.infer<typeof Setup>> = async (deps, event) => {
  const { customer, metadata } = event.data.object;
  const { account } = event;
  const organizationId = await findClaimedOrganization(deps.db, account, { metadata });
  if (!organizationId || !account || !customer) return 'ignored';
  if (await isEventHandled(deps.db, event.id)) return 'duplicate';
  const plan = await deps.db
    .selectFrom('recurring_plan')
    .select(['processor_subscription_id as id', 'status'])
    .where('organization_id', '=', organizationId)
    .where('processor_customer_id', '=', customer)
    .executeTakeFirst();
  if (!plan || plan.status === 'canceled') return 'ignored';
  const target = { subscriptionId: plan.id, customerId: customer, stripeAccount: account };
  const latestSetupIntent = await deps.processor.findLatestSetupIntent(target);
  if (latestSetupIntent) await deps.processor.changeSubscriptionCard(target, latestSetupIntent);
  return await syncSubscription(deps, { organizationId, account, subscriptionId: plan.id, event });
};

/**
 * A card was declined on the page of a plan. Its script begins a setup for each press, so this one has
 * served: left open, it would take a list of stolen cards. docs/decisions/0076-cards-of-a-plan.md
 */
const handleSetupFailed: Handler<z.infer<typeof FailedSetup>> = async (
  { db, processor },
  event,
) => {
  const { id, metadata } = event.data.object;
  const { account } = event;
  const organizationId = await findClaimedOrganization(db, account, { metadata });
  if (!organizationId || !account || !metadata['plan_id']) return 'ignored';
  if (await isEventHandled(db, event.id)) return 'duplicate';
  await processor.cancelSetupIntent(id, account);
  return (await markEventHandled(db, organizationId, event)) ? 'recorded' : 'duplicate';
};

/** Gifts that repeat: their payments, and what becomes of them. */
export const subscriptionEvents: Handlers = new Map([
  ...createHandlers(SUBSCRIPTION_EVENTS, Subscription, handleSubscription),
  ...createHandlers(['invoice.paid', 'invoice.payment_failed'], Invoice, handleInvoice),
  ...createHandlers(['setup_intent.succeeded'], Setup, handleSetupSucceeded),
  ...createHandlers(['setup_intent.setup_failed'], FailedSetup, handleSetupFailed),
]);
