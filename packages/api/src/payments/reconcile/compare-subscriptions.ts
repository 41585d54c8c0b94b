import type Stripe from 'stripe';
import { forOrganization } from '../../db/organization-scope.ts';
import type { WorkerDeps } from '../deps.ts';
import { idOf } from '../stripe/subscriptions.ts';
import { mapSubscription, type SubscriptionSnapshot } from '../stripe/map-subscription.ts';
import { findSubscriptions } from '../subscriptions/find-subscriptions.ts';
import { syncSubscription } from '../subscriptions/sync-subscription.ts';
import type { CompareOptions, ReconciledAccount, Reporter } from './difference.ts';

/** A subscription or invoice payment that differs from Stripe. `id` is the Stripe id to report. */
interface SubscriptionDifference {
  id: string;
  description: string;
  subscriptionId: string;
  paidInvoiceId?: string;
}

/**
 * Compares an organization's subscriptions and their paid invoices with Stripe's lists. Each paid
 * invoice must have a donation.
 */
export async function compareSubscriptions(
  deps: WorkerDeps,
  organization: ReconciledAccount,
  options: CompareOptions,
  report: Reporter,
): Promise<void> {
  const { account } = organization;
  for await (const page of deps.processor.listSubscriptions(account)) {
    const ownSubscriptions = await filterOwnSubscriptions(deps, organization, page);
    for (const difference of await findDifferences(deps, organization, ownSubscriptions))
      await repairSubscription(deps, organization, difference, options, report);
    report.onChecked(page.length);
  }
  for await (const page of deps.processor.listPaidInvoices(account, options.from)) {
    const ownInvoices = await filterOwnInvoices(deps, organization, page);
    for (const difference of await findUnrecordedPayments(deps, organization, ownInvoices))
      await repairSubscription(deps, organization, difference, options, report);
    report.onChecked(page.length);
  }
}

async function filterOwnSubscriptions(
  { db }: WorkerDeps,
  organization: ReconciledAccount,
  page: Stripe.Subscription[],
): Promise<SubscriptionSnapshot[]> {
  const ids = page.map(({ id }) => id);
  const storedSubscriptions = await findSubscriptions(db, organization.id, ids);
  return page
    .filter(({ id, metadata }) => storedSubscriptions.has(id) || isOwn(organization, metadata))
    .map(mapSubscription);
}

async function filterOwnInvoices(
  { db }: WorkerDeps,
  organization: ReconciledAccount,
  page: Stripe.Invoice[],
): Promise<Stripe.Invoice[]> {
  const subscriptionDetailsOf = ({ parent }: Stripe.Invoice) => parent?.subscription_details;
  const ids = page.map((invoice) => idOf(subscriptionDetailsOf(invoice)?.subscription));
  const storedSubscriptions = await findSubscriptions(db, organization.id, ids.filter(isDefined));
  return page.filter(
    (invoice, nth) =>
      storedSubscriptions.has(ids[nth] ?? '') ||
      isOwn(organization, subscriptionDetailsOf(invoice)?.metadata ?? {}),
  );
}

/** Reports a difference and, unless this is a dry run, fetches and saves the subscription. */
async function repairSubscription(
  deps: WorkerDeps,
  { id: organizationId, account }: ReconciledAccount,
  { id, description, ...subscription }: SubscriptionDifference,
  { repair }: CompareOptions,
  report: Reporter,
): Promise<void> {
  const outcome =
    repair && (await syncSubscription(deps, { organizationId, account, ...subscription }));
  report.onDifference({ organizationId, id, description, isRepaired: outcome === 'recorded' });
}

const isDefined = (id: string | undefined): id is string => id !== undefined;

const isOwn = ({ id }: ReconciledAccount, metadata: Record<string, string>) =>
  metadata['organization_id'] === id && metadata['plan_id'] !== undefined;

async function findDifferences(
  { db }: WorkerDeps,
  organization: ReconciledAccount,
  subscriptions: SubscriptionSnapshot[],
): Promise<SubscriptionDifference[]> {
  if (subscriptions.length === 0) return [];
  const ids = subscriptions.map(({ subscriptionId }) => subscriptionId);
  const rows = await forOrganization(db, organization.id)
    .selectFrom('recurring_plan')
    .select(['processor_subscription_id as id', 'status', 'amount_cents'])
    .where('processor_subscription_id', 'in', ids)
    .execute();
  const storedById = new Map(rows.map((row) => [row.id, row]));
  return subscriptions.flatMap(({ subscriptionId, status, amountCents }) => {
    const row = storedById.get(subscriptionId);
    const remoteState = `${amountCents}, ${status}`;
    const localState = row && `${row.amount_cents}, ${row.status}`;
    if (localState === remoteState || (!row && status === 'expired')) return [];
    const description = `a subscription of ${remoteState} is recorded as ${localState ?? 'nothing'}`;
    return [{ id: subscriptionId, description, subscriptionId }];
  });
}

async function findUnrecordedPayments(
  { db }: WorkerDeps,
  organization: ReconciledAccount,
  invoices: Stripe.Invoice[],
): Promise<SubscriptionDifference[]> {
  const unrecorded = invoices.flatMap((invoice) => {
    const paid = invoice.payments?.data.find(({ status }) => status === 'paid');
    const intent = idOf(paid?.payment.payment_intent);
    const subscriptionId = idOf(invoice.parent?.subscription_details?.subscription);
    if (!intent || !subscriptionId || !invoice.id) return [];
    const description = `a payment of ${invoice.amount_paid} ${invoice.currency} was not recorded`;
    return [{ id: intent, description, subscriptionId, paidInvoiceId: invoice.id }];
  });
  if (unrecorded.length === 0) return [];
  const rows = await forOrganization(db, organization.id)
    .selectFrom('donation')
    .select('processor_payment_intent_id as id')
    .where(
      'processor_payment_intent_id',
      'in',
      unrecorded.map(({ id }) => id),
    )
    .execute();
  const recordedIds = new Set(rows.map(({ id }) => id));
  return unrecorded.filter(({ id }) => !recordedIds.has(id));
}
