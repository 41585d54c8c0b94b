import { ListQuery } from '@connect-embed/contract';
import { queryParams } from '@connect-embed/contract/hono';
import { Hono } from 'hono';
import { etag } from 'hono/etag';
import type { Env } from '../../http/env.ts';
import type { RequestDeps } from '../../payments/deps.ts';
import { requireScope } from '../../auth/require-scope.ts';
import type { OrganizationScope } from '../../db/organization-scope.ts';
import { ListReader } from '../lists/list.ts';
import { iso, objectType } from '../resource-columns.ts';

/**
 * `GET /allowed-sites`: the websites that may show the forms and tables of the organization
 * (docs/decisions/0098-allowed-sites.md). It is not in the specification.
 */
export const allowedSites = (deps: RequestDeps) => {
  const list = new ListReader(deps, {
    table: 'allowed_site',
    select: selectSites,
    createdAtField: 'created_at',
  });
  return new Hono<Env>().get(
    '/',
    requireScope('reference:read'),
    etag(),
    queryParams(ListQuery),
    async (c) => {
      return c.json(await list.readPage(c.var.credential.organization.id, c.req.valid('query')));
    },
  );
};

const selectSites = (organization: OrganizationScope) =>
  organization
    .selectFrom('allowed_site')
    .select([
      'allowed_site.id',
      objectType('allowed_site'),
      'allowed_site.origin',
      iso('allowed_site.created_at').as('created_at'),
    ]);
