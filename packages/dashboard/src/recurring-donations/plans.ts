import { notFound } from '@connect-embed/contract';
import { Hono } from 'hono';
import { html } from 'hono/html';
import { forOrganization } from '@connect-embed/api/db/organization-scope';
import { isId } from '@connect-embed/api/lib/id';
import { syncSubscription } from '@connect-embed/api/payments/subscriptions/sync-subscription';
import type { Deps } from '../pages/deps.ts';
import type { DashboardContext, DashboardEnv } from '../pages/env.ts';
import { hasPermission } from '../pages/navigation.ts';
import { actionRoutes } from '../pages/actions.ts';
import { organizationPath, renderPage } from '../pages/render-page.ts';
import {
  loadRecurringPlanWithPayments,
  type RecurringPlanWithPayments,
} from './plan-with-payments.ts';
import { askForMethod, canAskForMethod } from './ask-for-method.ts';
import { renderFailing } from './failing-plans.ts';
import { exportPlans, renderPlanList } from './plan-list.ts';
import { amountOf, recurringPlanView } from './plan-view.ts';

/**
 * Dashboard pages of recurring donations: the list with filters and its CSV export, the failing ones, and the page
 * of one, where members see its payments, ask for another payment method, cancel it and invalidate its manage links.
 */
export const recurringPlans = (deps: Deps) =>
  new Hono<DashboardEnv>()
    .get('/', (c) => renderPlanList(c, deps))
    .get('/export.csv', (c) => exportPlans(c, deps))
    .get('/failing', (c) => renderFailing(c, deps))
    .get('/:id', (c) => renderPlan(c, deps))
    .route('/:id', planActions(deps));

async function loadPlan(c: DashboardContext, { db }: Deps): Promise<RecurringPlanWithPayments> {
  const id = c.req.param('id') ?? '';
  const { organizationId } = c.var.organization;
  const plan = isId(id) ? await loadRecurringPlanWithPayments(db, organizationId, id) : undefined;
  if (!plan) throw notFound('recurring_plan', id);
  return plan;
}

async function renderPlan(c: DashboardContext, deps: Deps) {
  const plan = await loadPlan(c, deps);
  const mayChange = hasPermission(c.var.organization, 'admin');
  const content = recurringPlanView(plan, {
    path: organizationPath(c, `/plans/${plan.id}`),
    timeZone: c.var.organization.timeZone,
    mayChange,
    mayAsk: mayChange && canAskForMethod(deps, plan),
  });
  const backLink = { href: organizationPath(c, '/plans'), text: 'Recurring donations' };
  return renderPage(c, { title: `${amountOf(plan)} ${plan.frequency}`, backLink, content });
}

const planActions = (deps: Deps) =>
  actionRoutes<RecurringPlanWithPayments>(
    {
      load: (c) => loadPlan(c, deps),
      page: ({ id }, c) => ({
        href: organizationPath(c, `/plans/${id}`),
        text: 'Recurring donation',
      }),
    },
    {
      cancel: {
        permission: 'admin',
        confirmation: ({ donor_name }) => ({
          title: 'End this recurring donation?',
          text: html`<p>
            ${donor_name ?? 'This donor'} will not be charged again and will be notified by email.
            Only the donor can start a new recurring donation.
          </p>`,
          buttonLabel: 'End recurring donation',
        }),
        run: (plan) => cancelSubscription(plan, deps),
        success: 'Recurring donation ended.',
      },
      'ask-for-method': {
        permission: 'admin',
        run: (plan) => askForMethod(deps, plan),
        success: ({ status }) =>
          status === 'past_due'
            ? 'The email with the link is on its way to the donor. The payment is tried at once when the donor adds another payment method.'
            : 'The email with the link is on its way to the donor.',
      },
      'end-links': {
        permission: 'admin',
        run: ({ id, organization_id }) =>
          forOrganization(deps.db, organization_id)
            .updateTable('recurring_plan')
            .set(({ eb }) => ({ link_epoch: eb('link_epoch', '+', 1) }))
            .where('id', '=', id)
            .execute(),
        success: 'Links in earlier emails no longer work. The next email will contain a new link.',
      },
    },
  );

/** Cancels the subscription at Stripe, unless it is canceled already. */
async function cancelSubscription(plan: RecurringPlanWithPayments, deps: Deps): Promise<void> {
  const { processor_account_id: account, processor_subscription_id: subscriptionId } = plan;
  if (plan.status === 'canceled' || !account) return;
  await deps.processor.cancelSubscription({
    subscriptionId,
    customerId: plan.processor_customer_id,
    stripeAccount: account,
  });
  await syncSubscription(deps, { organizationId: plan.organization_id, account, subscriptionId });
}
