import { RecurringPlanListQuery, type RecurringPlan } from '@connect-embed/contract';
import { NoQuery, queryParams } from '@connect-embed/contract/hono';
import { Hono } from 'hono';
import { sql } from 'kysely';
import type { Env } from '../http/env.ts';
import type { RequestDeps } from '../payments/deps.ts';
import { requireScope } from '../auth/require-scope.ts';
import { iso, isoOrNull, objectType } from './resource-columns.ts';
import { ListReader } from './lists/list.ts';
import type { OrganizationScope } from '../db/organization-scope.ts';

/** `GET /recurring-plans` and `GET /recurring-plans/{id}`: recurring plans (monthly donations). */
export const recurringPlans = (deps: RequestDeps) => {
  const list = new ListReader<Pick<RecurringPlanListQuery, 'livemode'>, RecurringPlan>(deps, {
    table: 'recurring_plan',
    select: selectRecurringPlans,
    createdAtField: 'created_at',
    filters: { livemode: (value) => sql`recurring_plan.livemode = ${value}::boolean` },
  });
  return new Hono<Env>()
    .use(requireScope('donations:read'))
    .get('/', queryParams(RecurringPlanListQuery), async (c) =>
      c.json(await list.readPage(c.var.credential.organization.id, c.req.valid('query'))),
    )
    .get('/:id', queryParams(NoQuery), async (c) =>
      c.json(await list.find(c.var.credential.organization.id, c.req.param('id'))),
    );
};

const selectRecurringPlans = (organization: OrganizationScope) =>
  organization
    .selectFrom('recurring_plan')
    .select([
      'recurring_plan.id',
      objectType('recurring_plan'),
      'recurring_plan.amount_cents',
      'recurring_plan.currency',
      'recurring_plan.frequency',
      'recurring_plan.status',
      'recurring_plan.donor_name',
      'recurring_plan.donor_email',
      'recurring_plan.fund_id',
      'recurring_plan.campaign_id',
      isoOrNull('recurring_plan.next_payment_at').as('next_payment_at'),
      iso('recurring_plan.created_at').as('created_at'),
      isoOrNull('recurring_plan.canceled_at').as('canceled_at'),
      'recurring_plan.livemode',
    ]);
