import { html } from 'hono/html';
import { forOrganization } from '../../db/organization-scope.ts';
import { findById } from '../../lib/id.ts';
import type { Html } from '../../lib/html.ts';
import { addSite } from '../../resources/allowed-sites/edit-sites.ts';
import {
  dismissSiteRequest,
  type listSiteRequests,
} from '../../resources/allowed-sites/site-requests.ts';
import type { Deps } from '../deps.ts';
import { dateElement } from './dashboard-layout.ts';
import type { DashboardContext } from './env.ts';
import { actionRoutes } from './pages/actions.ts';
import { table, type Column } from './table.ts';

export type SiteRequest = Awaited<ReturnType<typeof listSiteRequests>>[number];

/** Renders the websites that ask to be allowed, with a button for each decision. */
export function requestsSection(
  requests: readonly SiteRequest[],
  c: DashboardContext,
  path: string,
): Html {
  if (requests.length === 0) return html``;
  return html`<div class="panel">
    <h2>Websites that ask to be allowed</h2>
    <p>
      Somebody has connected these websites, for example with the WordPress plugin. Allow only
      addresses that you know: anybody can ask.
    </p>
    ${table('Websites that ask to be allowed', columns(c, path), requests)}
  </div>`;
}

const columns = (c: DashboardContext, path: string): Column<SiteRequest>[] => [
  { head: 'Website', as: 'rowHeader', cell: ({ origin }) => origin },
  {
    head: 'Asked on',
    cell: ({ created_at }) => dateElement(created_at, c.var.organization.timeZone),
  },
  {
    head: 'Action',
    as: 'muted',
    cell: (request) =>
      html`<form method="post" class="buttons">
        ${button(request, `${path}/requests/${request.id}/allow`, 'Allow')}
        ${button(request, `${path}/requests/${request.id}/dismiss`, 'Dismiss', 'secondary')}
      </form>`,
  },
];

const button = ({ origin }: SiteRequest, action: string, label: string, style = ''): Html =>
  html`<button class="${style}" formaction="${action}">
    ${label}<span class="hidden"> ${origin}</span>
  </button>`;

/**
 * Actions on a request of a website: Allow adds it to the list, Dismiss hides it until it expires.
 *
 * @param pathOf path of the page “Allowed sites”
 */
export const requestActions = ({ db }: Deps, pathOf: (c: DashboardContext) => string) =>
  actionRoutes<Pick<SiteRequest, 'id' | 'origin'>>(
    {
      load: (c) => {
        const id = c.req.param('id') ?? '';
        const query = forOrganization(db, c.var.organization.organizationId)
          .selectFrom('allowed_site_request')
          .select(['id', 'origin'])
          .where('id', '=', id);
        return findById('request', id, query);
      },
      page: (_, c) => ({ href: pathOf(c), text: 'Allowed sites' }),
      missing: { path: pathOf, problem: 'Somebody has decided about this website already.' },
    },
    {
      allow: {
        permission: 'admin',
        run: ({ origin }, c) => addSite(db, c.var.organization.organizationId, origin),
        success: ({ origin }) => `${origin} can show your forms within a minute.`,
      },
      dismiss: {
        permission: 'admin',
        run: ({ id }, c) => dismissSiteRequest(db, c.var.organization.organizationId, id),
        success: ({ origin }) => `${origin} was dismissed. It cannot show your forms.`,
      },
    },
  );
