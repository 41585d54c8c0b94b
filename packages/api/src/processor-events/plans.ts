import { z } from 'zod';
import type { WorkDeps } from '../env.ts';
import type { Db } from '../db/database.ts';
import { findPlans } from '../recurring/known-plan.ts';
import { syncPlan } from '../recurring/sync-plan.ts';
import { handlersOf, type Handler, type Handlers, type Outcome } from './handler.ts';
import { isKnown, keepEvent } from './keep-event.ts';
import { organizationOf, ownerOf } from './owner.ts';
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
const ofSubscription: Handler<Subscription> = async (deps, event) =>
  await sync(deps, event, event.data.object);

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
const ofInvoice: Handler<Invoice> = async (deps, event) => {
  const { id } = event.data.object;
  const { subscription, metadata } = subscriptionOf(event.data.object);
  if (!subscription || !id) return 'ignored';
  const paid = event.type === 'invoice.paid' ? { paidInvoiceId: id } : {};
  return await sync(deps, event, { id: subscription, metadata }, paid);
};

const subscriptionOf = ({ parent, subscription, subscription_details }: Invoice) =>
  parent?.subscription_details ?? { subscription, metadata: subscription_details?.metadata ?? {} };

/** The organization whose plan a subscription is: it is known here, or says so. */
async function ownerOfPlan(
  db: Db,
  account: string | undefined,
  subscription: { id: string; metadata: Record<string, string> },
): Promise<string | undefined> {
  if (subscription.metadata['plan_id']) {
    const named = await ownerOf(db, account, subscription);
    if (named) return named;
  }
  const id = await organizationOf(db, account);
  return id && (await findPlans(db, id, [subscription.id])).size > 0 ? id : undefined;
}

async function sync(
  deps: WorkDeps,
  event: EventWith<unknown>,
  subscription: { id: string; metadata: Record<string, string> },
  paid: { paidInvoiceId?: string } = {},
): Promise<Outcome> {
  const { account } = event;
  const organizationId = await ownerOfPlan(deps.db, account, subscription);
  if (!organizationId || !account) return 'ignored';
  const address = { organizationId, account, subscriptionId: subscription.id, event };
  return await syncPlan(deps, { ...address, ...paid });
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
const ofSetup: Handler<z.infer<typeof Setup>> = async (deps, event) => {
  const { customer, metadata } = event.data.object;
  const { account } = event;
  const organizationId = await ownerOf(deps.db, account, { metadata });
  if (!organizationId || !account || !customer) return 'ignored';
  if (await isKnown(deps.db, event.id)) return 'duplicate';
  const plan = await deps.db
    .selectFrom('recurring_plan')
    .select(['processor_subscription_id as id', 'status'])
    .where('organization_id', '=', organizationId)
    .where('processor_customer_id', '=', customer)
    .executeTakeFirst();
  if (!plan || plan.status === 'canceled') return 'ignored';
  const place = { subscriptionId: plan.id, customerId: customer, stripeAccount: account };
  const newest = await deps.processor.findNewestSetup(place);
  if (newest) await deps.processor.changePlanCard(place, newest);
  return await syncPlan(deps, { organizationId, account, subscriptionId: plan.id, event });
};

/**
 * A card was declined on the page of a plan. Its script begins a setup for each press, so this one has
 * served: left open, it would take a list of stolen cards. docs/decisions/0076-cards-of-a-plan.md
 */
const ofFailedSetup: Handler<z.infer<typeof FailedSetup>> = async ({ db, processor }, event) => {
  const { id, metadata } = event.data.object;
  const { account } = event;
  const organizationId = await ownerOf(db, account, { metadata });
  if (!organizationId || !account || !metadata['plan_id']) return 'ignored';
  if (await isKnown(db, event.id)) return 'duplicate';
  await processor.closeSetup(id, account);
  return (await keepEvent(db, organizationId, event)) ? 'recorded' : 'duplicate';
};

/** Gifts that repeat: their payments, and what becomes of them. */
export const planEvents: Handlers = new Map([
  ...handlersOf(SUBSCRIPTION_EVENTS, Subscription, ofSubscription),
  ...handlersOf(['invoice.paid', 'invoice.payment_failed'], Invoice, ofInvoice),
  ...handlersOf(['setup_intent.succeeded'], Setup, ofSetup),
  ...handlersOf(['setup_intent.setup_failed'], FailedSetup, ofFailedSetup),
]);
