import { Hono } from 'hono';
import { html } from 'hono/html';
import type { Deps } from '../pages/deps.ts';
import { readPage } from '@connect-embed/api/resources/lists/page';
import {
  selectOrganizationEndpoints,
  type OrganizationEndpoint,
} from '@connect-embed/api/webhooks/organization-endpoints';
import type { DashboardContext, DashboardEnv } from '../pages/env.ts';
import { listView } from '../pages/list.ts';
import { organizationPath, renderPage } from '../pages/render-page.ts';
import type { Column } from '../pages/table.ts';
import { webhookDeliveries } from './deliveries.ts';
import { webhookEndpoint } from './endpoint.ts';
import { creationPage } from './endpoint-form.ts';
import { creatorText, stateBadge } from './labels.ts';

/**
 * Dashboard pages “Webhooks” in the section “Developers”: the list of the organization's webhook
 * endpoints, and the pages of each endpoint.
 */
export const webhooks = (deps: Deps) => {
  const creation = creationPage(deps);
  return new Hono<DashboardEnv>()
    .get('/', (c) => renderList(c, deps))
    .get('/new', creation.show)
    .post('/', creation.submit)
    .route('/:id', webhookEndpoint(deps))
    .route('/:id/deliveries', webhookDeliveries(deps));
};

async function renderList(c: DashboardContext, { db, cursorEncrypter }: Deps) {
  const path = organizationPath(c, '/webhooks');
  const endpoints = selectOrganizationEndpoints(db, c.var.organization.organizationId);
  const list = await listView(c, {
    label: 'Endpoints',
    path,
    table: 'webhook_endpoint',
    read: (page) => readPage(cursorEncrypter, page, endpoints, (row) => row),
    columns: columnsAt(path),
    empty: 'No endpoints yet.',
  });
  return renderPage(c, { title: 'Webhooks', content: html`${intro(path)} ${list}` });
}

const intro = (path: string) =>
  html`<p class="muted">
      An endpoint is a URL of your software that receives webhook events. Each event is signed, and
      a failed delivery is retried for three days.
    </p>
    <p><a class="button" href="${path}/new">Add endpoint</a></p>`;

const columnsAt = (path: string): Column<OrganizationEndpoint>[] => [
  {
    head: 'URL',
    as: 'rowHeader',
    cell: (row) =>
      html`<a href="${path}/${row.id}">${row.url}</a><br /><span class="small muted"
          >${row.description || creatorText(row)}</span
        >`,
  },
  { head: 'Status', cell: stateBadge },
  {
    head: 'Events',
    cell: ({ events }) => html`<span class="small">${events.join(', ')}</span>`,
  },
  {
    head: 'Last error',
    cell: ({ last_error }) => last_error && html`<span class="small">${last_error}</span>`,
  },
];
