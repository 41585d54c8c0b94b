import { ListQuery, type CampaignProgress } from '@connect-embed/contract';
import { NoQuery, queryParams } from '@connect-embed/contract/hono';
import { Hono } from 'hono';
import type { Env } from '../http/env.ts';
import type { RequestDeps } from '../payments/deps.ts';
import { requireScope } from '../auth/require-scope.ts';
import type { Db } from '../db/schema.ts';
import { iso, isoOrNull, objectType } from './resource-columns.ts';
import { ListReader } from './lists/list.ts';
import { loadRaisedCents } from './catalogue/raised.ts';
import { findById } from '../lib/id.ts';
import { forOrganization, type OrganizationScope } from '../db/organization-scope.ts';

/**
 * `GET /campaigns` (spec: Read endpoints) and `GET /campaigns/{id}/progress`: the sum of a
 * campaign's donations.
 */
export const campaigns = (deps: RequestDeps) => {
  const list = new ListReader(deps, {
    table: 'campaign',
    select: selectCampaigns,
    createdAtField: 'created_at',
  });
  return new Hono<Env>()
    .use(requireScope('reference:read'))
    .get('/', queryParams(ListQuery), async (c) =>
      c.json(await list.readPage(c.var.credential.organization.id, c.req.valid('query'))),
    )
    .get('/:id/progress', queryParams(NoQuery), async (c) => {
      const { id: organizationId } = c.var.credential.organization;
      return c.json(await loadProgress(deps.db, organizationId, c.req.param('id')));
    });
};

/**
 * Loads the progress of a campaign: docs/decisions/0055-campaign-progress.md
 *
 * @throws {ConnectError} `not_found`
 */
export async function loadProgress(
  db: Db,
  organizationId: string,
  campaignId: string,
): Promise<CampaignProgress> {
  const campaign = await findById(
    'campaign',
    campaignId,
    forOrganization(db, organizationId)
      .selectFrom('campaign')
      .innerJoin('organization', 'organization.id', 'campaign.organization_id')
      .where('campaign.id', '=', campaignId)
      .select([
        objectType('campaign_progress'),
        'campaign.id as campaign_id',
        'campaign.name',
        'organization.currency',
        'campaign.goal_cents',
      ]),
  );
  const raised = await loadRaisedCents(db, organizationId, [campaignId]);
  return { ...campaign, raised_cents: raised.get(campaignId) ?? 0 };
}

const selectCampaigns = (organization: OrganizationScope) =>
  organization
    .selectFrom('campaign')
    .select([
      'campaign.id',
      objectType('campaign'),
      'campaign.slug',
      'campaign.name',
      'campaign.description',
      'campaign.goal_cents',
      'campaign.is_active',
      isoOrNull('campaign.start_date').as('start_date'),
      isoOrNull('campaign.end_date').as('end_date'),
      iso('campaign.created_at').as('created_at'),
    ]);
