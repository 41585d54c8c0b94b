import type { Db } from '@connect-embed/api/db/schema';
import { forOrganization } from '@connect-embed/api/db/organization-scope';
import { selectOnTheirWay, selectReturned } from '../donations/on-their-way.ts';

/** Emails that ask a donor for another payment method. */
export const ASKING_EMAILS = ['plan_failed', 'plan_first_failed', 'plan_method_lost'] as const;

/**
 * Loads a recurring plan with the names of its fund and campaign, its latest 100 payments, newest first, and
 * those that are on their way or were returned, and the latest emails that asked for another payment method.
 */
export async function loadRecurringPlanWithPayments(db: Db, organizationId: string, id: string) {
  const recurringPlan = await forOrganization(db, organizationId)
    .selectFrom('recurring_plan')
    .innerJoin('organization', 'organization.id', 'recurring_plan.organization_id')
    .leftJoin('fund', 'fund.id', 'recurring_plan.fund_id')
    .leftJoin('campaign', 'campaign.id', 'recurring_plan.campaign_id')
    .selectAll('recurring_plan')
    .select([
      'organization.processor_account_id',
      'fund.name as fund_name',
      'campaign.name as campaign_name',
    ])
    .where('recurring_plan.id', '=', id)
    .executeTakeFirst();
  if (!recurringPlan) return undefined;
  const ofPlan = forOrganization(db, organizationId)
    .selectFrom('donation')
    .select(['id', 'amount_cents', 'currency', 'created_at', 'contact_id', 'livemode'])
    .select(['refund_status', 'dispute_status'])
    .where('plan_id', '=', id)
    .orderBy('created_at', 'desc')
    .limit(100);
  const [payments, onTheirWay, returned, emails] = await Promise.all([
    ofPlan.execute(),
    selectOnTheirWay(db, organizationId).where('payment_intent.plan_id', '=', id).execute(),
    selectReturned(db, organizationId).where('payment_intent.plan_id', '=', id).execute(),
    forOrganization(db, organizationId)
      .selectFrom('mail')
      .select(['id', 'kind', 'status', 'sent_at', 'created_at'])
      .where('plan_id', '=', id)
      .where('kind', 'in', ASKING_EMAILS)
      .orderBy('created_at', 'desc')
      .limit(5)
      .execute(),
  ]);
  return { ...recurringPlan, payments, onTheirWay, returned, emails };
}

export type RecurringPlanWithPayments = NonNullable<
  Awaited<ReturnType<typeof loadRecurringPlanWithPayments>>
>;
