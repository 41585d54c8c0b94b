import { notFound } from '@connect-embed/contract';
import { Hono, type Context } from 'hono';
import { html } from 'hono/html';
import { forOrganization } from '../../../db/organization-scope.ts';
import type { Deps } from '../../deps.ts';
import { readPage } from '../../../resources/lists/page.ts';
import { isId } from '../../../lib/id.ts';
import { syncSubscription } from '../../../payments/subscriptions/sync-subscription.ts';
import { requirePermission } from '../require-permission.ts';
import { confirmation } from '../confirmation.ts';
import type { DashboardEnv } from '../env.ts';
import { dashboardPage, timeZoneOf } from '../dashboard-layout.ts';
import { pageFromQuery } from '../lists/page-from-query.ts';
import { hasPermission } from '../navigation.ts';
import { empty, pager, table } from '../table.ts';
import { loadRecurringPlanWithPayments } from './plan-with-payments.ts';
import { amountOf, columnsAt, recurringPlanView } from './plan-view.ts';

/**
 * Dashboard pages of recurring donations: the list and the page of one recurring donation, where
 * members see its payments, cancel it and invalidate its manage links.
 */
export const recurringPlans = (deps: Deps) => {
  const { db, cursorEncrypter } = deps;

  const loadRecurringPlan = async (c: Context<DashboardEnv>) => {
    const id = c.req.param('id') ?? '';
    const { organizationId } = c.var.organization;
    const recurringPlan = isId(id)
      ? await loadRecurringPlanWithPayments(db, organizationId, id)
      : undefined;
    if (!recurringPlan) throw notFound('recurring_plan', id);
    const list = `/dashboard/${organizationId}/plans`;
    return { recurringPlan, path: `${list}/${id}`, list };
  };

  return new Hono<DashboardEnv>()
    .get('/', async (c) => {
      const { pageContext } = c.var;
      const { cursor, page } = pageFromQuery(c, 'recurring_plan');
      const select = forOrganization(db, c.var.organization.organizationId)
        .selectFrom('recurring_plan')
        .selectAll('recurring_plan');
      const { data, next_cursor: next } = await readPage(
        cursorEncrypter,
        page,
        select,
        (row) => row,
      );
      const content = html`<p class="muted">
          Each payment of a recurring donation is recorded as its own donation. Donors manage their
          recurring donation through the link in their receipt.
        </p>
        ${
          data.length
            ? table(
                'Recurring donations',
                columnsAt(pageContext.path, timeZoneOf(pageContext)),
                data,
              )
            : empty('No recurring donations yet. Offer them with the frequencies of a form.')
        }
        ${pager(pageContext.path, { cursor, next })}`;
      return c.html(dashboardPage(pageContext, 'Recurring donations', content));
    })
    .get('/:id', async (c) => {
      const { recurringPlan, list, path } = await loadRecurringPlan(c);
      const pageContext = {
        ...c.var.pageContext,
        backLink: { href: list, text: 'Recurring donations' },
      };
      const mayChange = hasPermission(c.var.organization, 'admin');
      const title = `${amountOf(recurringPlan)} ${recurringPlan.frequency}`;
      return c.html(
        dashboardPage(
          pageContext,
          title,
          recurringPlanView(recurringPlan, { path, timeZone: timeZoneOf(pageContext), mayChange }),
        ),
      );
    })
    .use('/:id/cancel', requirePermission('admin'))
    .get('/:id/cancel', async (c) => {
      const { recurringPlan, path } = await loadRecurringPlan(c);
      const pageContext = {
        ...c.var.pageContext,
        backLink: { href: path, text: 'Recurring donation' },
      };
      const text = html`<p>
        ${recurringPlan.donor_name ?? 'This donor'} will not be charged again and will be notified
        by email. Only the donor can start a new recurring donation.
      </p>`;
      const content = confirmation({
        text,
        buttonLabel: 'End recurring donation',
        cancelHref: path,
      });
      return c.html(dashboardPage(pageContext, 'End this recurring donation?', content));
    })
    .post('/:id/cancel', async (c) => {
      const { recurringPlan, path } = await loadRecurringPlan(c);
      const { processor_account_id: account, processor_subscription_id: subscriptionId } =
        recurringPlan;
      if (recurringPlan.status !== 'canceled' && account) {
        const customerId = recurringPlan.processor_customer_id;
        await deps.processor.cancelSubscription({
          subscriptionId,
          customerId,
          stripeAccount: account,
        });
        const { organizationId } = c.var.organization;
        await syncSubscription(deps, { organizationId, account, subscriptionId });
      }
      return await c.var.redirectWithFlash(path, {
        kind: 'success',
        text: 'Recurring donation ended.',
      });
    })
    .use('/:id/end-links', requirePermission('admin'))
    .post('/:id/end-links', async (c) => {
      const { recurringPlan, path } = await loadRecurringPlan(c);
      await forOrganization(db, c.var.organization.organizationId)
        .updateTable('recurring_plan')
        .set(({ eb }) => ({ link_epoch: eb('link_epoch', '+', 1) }))
        .where('id', '=', recurringPlan.id)
        .execute();
      const text =
        'Links in earlier emails no longer work. The next email will contain a new link.';
      return await c.var.redirectWithFlash(path, { kind: 'success', text });
    });
};
