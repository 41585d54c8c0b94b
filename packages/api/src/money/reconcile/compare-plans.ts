import type Stripe from 'stripe';
import type { WorkDeps } from '../../env.ts';
import { idOf } from '../../processor/plans.ts';
import { toPlanTruth, type PlanTruth } from '../../processor/plan-truth.ts';
import { findPlans } from '../../recurring/known-plan.ts';
import { syncPlan } from '../../recurring/sync-plan.ts';
import { inBatches } from './batches.ts';
import type { CompareOptions } from './compare.ts';
import type { Reconciled, Reporter } from './difference.ts';

/** What is looked at, and what is wrong with it. */
interface Found {
  id: string;
  what: string;
  subscriptionId: string;
  paidInvoiceId?: string;
}

/** Every plan of the account is one here in the same state, and every paid invoice of one a donation. */
export async function comparePlans(
  deps: WorkDeps,
  organization: Reconciled,
  options: CompareOptions,
  report: Reporter,
): Promise<void> {
  const { account } = organization;
  const heal = async ({ id, what, ...plan }: Found) => {
    const { id: organizationId } = organization;
    const outcome = options.heal && (await syncPlan(deps, { organizationId, account, ...plan }));
    report.differs({ organizationId, id, what, healed: outcome === 'recorded' });
  };
  for await (const all of inBatches(deps.processor.listSubscriptions(account))) {
    const known = await findPlans(
      deps.db,
      organization.id,
      all.map(({ id }) => id),
    );
    const ours = all
      .filter(({ id, metadata }) => known.has(id) || isOurs(organization, metadata))
      .map(toPlanTruth);
    for (const found of await differentPlans(deps, ours)) await heal(found);
    report.looked(all.length);
  }
  for await (const all of inBatches(deps.processor.listPaidInvoices(account, options.from))) {
    const planOf = ({ parent }: Stripe.Invoice) => parent?.subscription_details;
    const ids = all.map((invoice) => idOf(planOf(invoice)?.subscription));
    const known = await findPlans(deps.db, organization.id, ids.filter(isThere));
    const ours = all.filter(
      (invoice, nth) =>
        known.has(ids[nth] ?? '') || isOurs(organization, planOf(invoice)?.metadata ?? {}),
    );
    for (const found of await unrecorded(deps, ours)) await heal(found);
    report.looked(all.length);
  }
}

const isThere = (id: string | undefined): id is string => id !== undefined;

const isOurs = ({ id }: Reconciled, metadata: Record<string, string>) =>
  metadata['organization_id'] === id && metadata['plan_id'] !== undefined;

async function differentPlans({ db }: WorkDeps, truths: PlanTruth[]): Promise<Found[]> {
  if (truths.length === 0) return [];
  const ids = truths.map(({ subscriptionId }) => subscriptionId);
  const rows = await db
    .selectFrom('recurring_plan')
    .select(['processor_subscription_id as id', 'status', 'amount_cents'])
    .where('processor_subscription_id', 'in', ids)
    .execute();
  const kept = new Map(rows.map((row) => [row.id, row]));
  return truths.flatMap(({ subscriptionId, status, amountCents }) => {
    const row = kept.get(subscriptionId);
    const there = `${amountCents}, ${status}`;
    const here = row && `${row.amount_cents}, ${row.status}`;
    if (here === there || (!row && status === 'expired')) return [];
    const what = `a plan of ${there}, is recorded as ${here ?? 'nothing'}`;
    return [{ id: subscriptionId, what, subscriptionId }];
  });
}

async function unrecorded({ db }: WorkDeps, invoices: Stripe.Invoice[]): Promise<Found[]> {
  const found = invoices.flatMap((invoice) => {
    const paid = invoice.payments?.data.find(({ status }) => status === 'paid');
    const intent = idOf(paid?.payment.payment_intent);
    const subscriptionId = idOf(invoice.parent?.subscription_details?.subscription);
    if (!intent || !subscriptionId || !invoice.id) return [];
    const what = `a payment of ${invoice.amount_paid} ${invoice.currency} was not recorded`;
    return [{ id: intent, what, subscriptionId, paidInvoiceId: invoice.id }];
  });
  if (found.length === 0) return [];
  const rows = await db
    .selectFrom('donation')
    .select('processor_payment_intent_id as id')
    .where(
      'processor_payment_intent_id',
      'in',
      found.map(({ id }) => id),
    )
    .execute();
  const kept = new Set(rows.map(({ id }) => id));
  return found.filter(({ id }) => !kept.has(id));
}
