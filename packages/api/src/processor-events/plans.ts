import type Stripe from 'stripe';
import type { WorkDeps } from '../env.ts';
import type { Db } from '../db/database.ts';
import { idOf } from '../processor/plans.ts';
import { findPlans } from '../recurring/known-plan.ts';
import { syncPlan } from '../recurring/sync-plan.ts';
import type { EventOf, Handler, Handlers, Outcome } from './handler.ts';
import { isKnown, keepEvent } from './keep-event.ts';
import { organizationOf, ownerOf } from './owner.ts';

const SUBSCRIPTION_EVENTS = [
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'customer.subscription.paused',
  'customer.subscription.resumed',
] as const;
type SubscriptionEvent = (typeof SUBSCRIPTION_EVENTS)[number];

/** Whatever it tells: the plan is asked for and set to what the processor says now. */
const ofSubscription: Handler<SubscriptionEvent> = async (deps, event) =>
  await sync(deps, event, event.data.object);

/** An invoice names its subscription, with a copy of what that says of itself. */
const ofInvoice = async (
  deps: WorkDeps,
  event: EventOf<'invoice.paid'> | EventOf<'invoice.payment_failed'>,
): Promise<Outcome> => {
  const { id } = event.data.object;
  const { subscription, metadata } = subscriptionOf(event.data.object);
  const subscriptionId = idOf(subscription);
  if (!subscriptionId || !id) return 'ignored';
  const paid = event.type === 'invoice.paid' ? { paidInvoiceId: id } : {};
  return await sync(deps, event, { id: subscriptionId, metadata: metadata ?? {} }, paid);
};

/** An endpoint that was made for an older version of the processor's API is told it elsewhere. */
function subscriptionOf(invoice: Stripe.Invoice & Partial<OlderInvoice>): Partial<Named> {
  const { parent, subscription, subscription_details } = invoice;
  const older = { subscription, metadata: subscription_details?.metadata };
  return parent?.subscription_details ?? (older as Partial<Named>);
}
type Named = Pick<Stripe.Invoice.Parent.SubscriptionDetails, 'subscription' | 'metadata'>;
interface OlderInvoice {
  subscription: string | null;
  subscription_details: { metadata: Record<string, string> | null } | null;
}

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
  event: Stripe.Event,
  subscription: { id: string; metadata: Record<string, string> },
  paid: { paidInvoiceId?: string } = {},
): Promise<Outcome> {
  const { account } = event;
  const organizationId = await ownerOfPlan(deps.db, account, subscription);
  if (!organizationId || !account) return 'ignored';
  const address = { organizationId, account, subscriptionId: subscription.id, event };
  return await syncPlan(deps, { ...address, ...paid });
}

/**
 * A donor has set up another card. The page that they did it on says so too, unless it was closed too
 * soon; the newest card counts, for this may come late.
 */
const ofSetup: Handler<'setup_intent.succeeded'> = async (deps, event) => {
  const { customer, metadata } = event.data.object;
  const { account } = event;
  const organizationId = await ownerOf(deps.db, account, { metadata: metadata ?? {} });
  if (!organizationId || !account || !customer) return 'ignored';
  if (await isKnown(deps.db, event.id)) return 'duplicate';
  const plan = await deps.db
    .selectFrom('recurring_plan')
    .select(['processor_subscription_id as id', 'status'])
    .where('organization_id', '=', organizationId)
    .where('processor_customer_id', '=', idOf(customer)!)
    .executeTakeFirst();
  if (!plan || plan.status === 'canceled') return 'ignored';
  const place = { subscriptionId: plan.id, customerId: idOf(customer)!, stripeAccount: account };
  const newest = await deps.processor.findNewestSetup(place);
  if (newest) await deps.processor.changePlanCard(place, newest);
  return await syncPlan(deps, { organizationId, account, subscriptionId: plan.id, event });
};

/**
 * A card was declined on the page of a plan. Its script begins a setup for each press, so this one has
 * served: left open, it would take a list of stolen cards. docs/decisions/0076-cards-of-a-plan.md
 */
const ofFailedSetup: Handler<'setup_intent.setup_failed'> = async ({ db, processor }, event) => {
  const { id, metadata } = event.data.object;
  const { account } = event;
  const organizationId = await ownerOf(db, account, { metadata: metadata ?? {} });
  if (!organizationId || !account || !metadata?.['plan_id']) return 'ignored';
  if (await isKnown(db, event.id)) return 'duplicate';
  await processor.closeSetup(id, account);
  return (await keepEvent(db, organizationId, event)) ? 'recorded' : 'duplicate';
};

/** Gifts that repeat: their payments, and what becomes of them. */
export const planEvents: Handlers = {
  ...Object.fromEntries(
    SUBSCRIPTION_EVENTS.map((type): [string, Handler<SubscriptionEvent>] => [type, ofSubscription]),
  ),
  'invoice.paid': ofInvoice,
  'invoice.payment_failed': ofInvoice,
  'setup_intent.succeeded': ofSetup,
  'setup_intent.setup_failed': ofFailedSetup,
};
