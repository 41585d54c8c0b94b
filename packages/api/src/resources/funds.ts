import { ListQuery } from '@connect-embed/contract';
import { queryParams } from '@connect-embed/contract/hono';
import { Hono } from 'hono';
import type { Env } from '../http/env.ts';
import type { RequestDeps } from '../payments/deps.ts';
import { requireScope } from '../auth/require-scope.ts';
import { iso, objectType } from './resource-columns.ts';
import { ListReader } from './lists/list.ts';
import type { OrganizationScope } from '../db/organization-scope.ts';

/** `GET /funds` (spec: Read endpoints). */
export const funds = (deps: RequestDeps) => {
  const list = new ListReader(deps, {
    table: 'fund',
    select: selectFunds,
    createdAtField: 'created_at',
  });
  return new Hono<Env>().get(
    '/',
    requireScope('reference:read'),
    queryParams(ListQuery),
    async (c) =>
      c.json(await list.readPage(c.var.credential.organization.id, c.req.valid('query'))),
  );
};

const selectFunds = (organization: OrganizationScope) =>
  organization
    .selectFrom('fund')
    .select([
      'fund.id',
      objectType('fund'),
      'fund.name',
      'fund.description',
      'fund.type',
      'fund.goal_cents',
      'fund.published',
      iso('fund.created_at').as('created_at'),
    ]);
