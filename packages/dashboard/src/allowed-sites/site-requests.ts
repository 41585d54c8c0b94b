import { html } from 'hono/html';
import { isId } from '@connect-embed/api/lib/id';
import type { Html } from '@connect-embed/api/lib/html';
import { addSite } from '@connect-embed/api/resources/allowed-sites/edit-sites';
import {
  dismissSiteRequests,
  type listRefusedSites,
  type listSiteRequests,
} from '@connect-embed/api/resources/allowed-sites/site-requests';
import type { Deps } from '../pages/deps.ts';
import { readForm } from '@connect-embed/api/http/read-form';
import { dateElement } from '../pages/dashboard-layout.ts';
import type { DashboardContext } from '../pages/env.ts';
import { table, type Column } from '../pages/table.ts';
import { allowedSitesPath, websiteActions } from './website-actions.ts';

export type SiteRequest = Awaited<ReturnType<typeof listSiteRequests>>[number];
/** A website that was refused a form. */
export type RefusedSite = Awaited<ReturnType<typeof listRefusedSites>>[number];

/** Renders the websites that ask to be allowed, with a button for each decision. */
export function requestsSection(requests: readonly SiteRequest[], c: DashboardContext): Html {
  if (requests.length === 0) return html``;
  const path = allowedSitesPath(c);
  return html`<div class="panel">
    <h2>Websites that ask to be allowed</h2>
    <p>
      Somebody has connected these websites, for example with the WordPress plugin. Allow only
      addresses that you know: anybody can ask.
    </p>
    ${table('Websites that ask to be allowed', columns(c, path), requests)}
    ${requests.length > 1 ? dismissAllForm(requests, path) : ''}
  </div>`;
}

/** Renders the websites that were refused a form in the last day, with a button to allow each. */
export const refusedSites = (sites: readonly RefusedSite[], c: DashboardContext): Html =>
  sites.length === 0
    ? html``
    : html`<div class="panel">
        <h2>Websites that could not show your form</h2>
        <p>
          In the last day a page of ${sites.length === 1 ? 'this website' : 'these websites'} asked
          for a form. Allow only addresses that you know.
        </p>
        ${table('Websites that could not show your form', columns(c, allowedSitesPath(c)), sites)}
      </div>`;

const columns = (
  c: DashboardContext,
  path: string,
): Column<SiteRequest & Partial<RefusedSite>>[] => [
  {
    head: 'Website',
    as: 'rowHeader',
    cell: ({ origin, form }) =>
      html`${origin}
      ${form ? html`<br /><span class="small muted">asked for the form <bdi>${form}</bdi></span>` : ''}`,
  },
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

/** Actions on a request of a website: Allow adds it to the list, Dismiss hides it until it expires. */
export const requestActions = (deps: Deps) =>
  websiteActions(deps, 'allowed_site_request', 'Somebody has decided about this website already.', {
    allow: {
      run: ({ origin }, c) => addSite(deps.db, c.var.organization.organizationId, origin),
      success: ({ origin }) => `${origin} can show your forms within a minute.`,
    },
    dismiss: {
      run: ({ id }, c) => dismissSiteRequests(deps.db, c.var.organization.organizationId, [id]),
      success: ({ origin }) => `${origin} was dismissed. It cannot show your forms.`,
    },
  });

/** Renders a button that dismisses all requests that the page shows, and none that arrives later. */
const dismissAllForm = (requests: readonly SiteRequest[], path: string): Html =>
  html`<form method="post" action="${path}/requests/dismiss">
    <input type="hidden" name="ids" value="${requests.map(({ id }) => id).join()}" />
    <button class="secondary">Dismiss all ${requests.length}</button>
  </form>`;

export async function dismissAll(c: DashboardContext, { db }: Deps): Promise<Response> {
  const ids = (await readForm(c))('ids').split(',').filter(isId);
  await dismissSiteRequests(db, c.var.organization.organizationId, ids);
  const text = 'The websites were dismissed. They cannot show your forms.';
  return await c.var.redirectWithFlash(allowedSitesPath(c), { kind: 'success', text });
}
