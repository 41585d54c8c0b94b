import type { Deps } from '../pages/deps.ts';
import {
  findOrganizationEndpoint,
  type OrganizationEndpoint,
} from '@connect-embed/api/webhooks/organization-endpoints';
import type { DashboardContext } from '../pages/env.ts';
import { organizationPath } from '../pages/render-page.ts';

/**
 * Loads the webhook endpoint that the path of a page names.
 *
 * @throws {ConnectError} `not_found`
 */
export const loadEndpoint = (
  c: DashboardContext,
  { db }: Pick<Deps, 'db'>,
): Promise<OrganizationEndpoint> =>
  findOrganizationEndpoint(db, c.var.organization.organizationId, c.req.param('id') ?? '');

export const endpointPath = (c: DashboardContext): string =>
  organizationPath(c, `/webhooks/${c.req.param('id')}`);
