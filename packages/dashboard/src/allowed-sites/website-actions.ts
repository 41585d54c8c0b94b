import { forOrganization } from '@connect-embed/api/db/organization-scope';
import { findById } from '@connect-embed/api/lib/id';
import type { Deps } from '../pages/deps.ts';
import type { DashboardContext } from '../pages/env.ts';
import { actionRoutes, type Action } from '../pages/actions.ts';
import { organizationPath } from '../pages/render-page.ts';

interface Website {
  id: string;
  origin: string;
}

export const allowedSitesPath = (c: DashboardContext) => organizationPath(c, '/allowed-sites');

/**
 * Creates the routes of actions on a website of the page “Allowed sites”.
 *
 * @param table the list of websites, or of the requests to be on it
 * @param problem message if the website is not in the table any more
 */
export const websiteActions = (
  { db }: Deps,
  table: 'allowed_site' | 'allowed_site_request',
  problem: string,
  actions: Readonly<Record<string, Pick<Action<Website>, 'run' | 'success'>>>,
) =>
  actionRoutes<Website>(
    {
      load: (c) => {
        const id = c.req.param('id') ?? '';
        const query = forOrganization(db, c.var.organization.organizationId)
          .selectFrom(table)
          .select(['id', 'origin'])
          .where('id', '=', id);
        return findById('website', id, query);
      },
      page: (_, c) => ({ href: allowedSitesPath(c), text: 'Allowed sites' }),
      missing: { path: allowedSitesPath, problem },
    },
    actions,
  );
