import { DELIVERY_STATUSES } from '@connect-embed/contract';
import { Hono } from 'hono';
import { html } from 'hono/html';
import type { Selectable } from 'kysely';
import { forOrganization } from '@connect-embed/api/db/organization-scope';
import type { Deps } from '../pages/deps.ts';
import { readPage } from '@connect-embed/api/resources/lists/page';
import type { Database } from '@connect-embed/api/db/schema';
import {
  findDelivery,
  type OrganizationEndpoint,
} from '@connect-embed/api/webhooks/organization-endpoints';
import { redeliver } from '@connect-embed/api/webhooks/redeliver';
import type { Html } from '@connect-embed/api/lib/html';
import { exactTimeElement } from '../pages/dashboard-layout.ts';
import type { DashboardContext, DashboardEnv } from '../pages/env.ts';
import { actionRoutes } from '../pages/actions.ts';
import { listView, tabs } from '../pages/list.ts';
import { renderPage } from '../pages/render-page.ts';
import { badge, type Column } from '../pages/table.ts';
import { deliveryView } from './delivery-view.ts';
import { endpointPath, loadEndpoint } from './endpoint-in-path.ts';
import { DELIVERY_TONES, DELIVERY_LABELS, stateOf } from './labels.ts';

type Delivery = Selectable<Database['webhook_delivery']>;

/** Dashboard page of one webhook delivery: its attempts and the button that redelivers it. */
export const webhookDeliveries = (deps: Deps) =>
  new Hono<DashboardEnv>()
    .get('/:delivery', (c) => renderDelivery(c, deps))
    .route('/:delivery', deliveryActions(deps));

async function renderDelivery(c: DashboardContext, deps: Deps) {
  const endpoint = await loadEndpoint(c, deps);
  const delivery = await findDelivery(deps.db, endpoint, c.req.param('delivery') ?? '');
  const page = {
    path: c.var.pageContext.path,
    timeZone: c.var.organization.timeZone,
    canSend: stateOf(endpoint).isSending,
  };
  return renderPage(c, {
    title: delivery.delivery.event_type,
    backLink: { href: endpointPath(c), text: endpoint.url },
    content: deliveryView(page, delivery),
  });
}

const deliveryActions = (deps: Deps) =>
  actionRoutes<OrganizationEndpoint>(
    {
      load: (c) => loadEndpoint(c, deps),
      page: (_, c) => ({
        href: `${endpointPath(c)}/deliveries/${c.req.param('delivery')}`,
        text: 'Delivery',
      }),
    },
    {
      redeliver: {
        run: (endpoint, c) => redeliver(deps.db, endpoint, c.req.param('delivery') ?? ''),
        success: 'Redelivery queued. Reload the page to see the result.',
      },
    },
  );

/**
 * Renders the list of an endpoint's deliveries, newest first. The URL parameter `status` filters by
 * delivery status.
 */
export async function readDeliveries(
  { db, cursorEncrypter }: Deps,
  c: DashboardContext,
  { id, organization_id }: OrganizationEndpoint,
): Promise<Html> {
  const status = DELIVERY_STATUSES.find((each) => each === c.req.query('status'));
  let select = forOrganization(db, organization_id)
    .selectFrom('webhook_delivery')
    .selectAll('webhook_delivery')
    .where('endpoint_id', '=', id);
  if (status) select = select.where('status', '=', status);
  const path = endpointPath(c);
  const list = await listView(c, {
    label: 'Deliveries',
    path,
    table: 'webhook_delivery',
    filters: { endpoint_id: id, ...(status && { status }) },
    params: status ? { status } : {},
    read: (page) => readPage(cursorEncrypter, page, select, (row) => row),
    columns: columnsAt(path, c.var.organization.timeZone),
    empty: status ? 'No deliveries with this status.' : 'No deliveries yet.',
  });
  const views = [undefined, ...DELIVERY_STATUSES].map((view) => ({
    text: view ? DELIVERY_LABELS[view] : 'All',
    href: `${view ? `${path}?status=${view}` : path}#deliveries`,
    current: view === status,
  }));
  return html`<h2 id="deliveries">Deliveries in the last 30 days</h2>
    ${tabs('Show', views)} ${list}`;
}

const columnsAt = (path: string, timeZone: string): Column<Delivery>[] => [
  {
    head: 'Event',
    as: 'rowHeader',
    cell: ({ id, event_type }) => html`<a href="${path}/deliveries/${id}">${event_type}</a>`,
  },
  {
    head: 'Status',
    cell: ({ status }) => badge(DELIVERY_LABELS[status], DELIVERY_TONES[status]),
  },
  { head: 'Created', cell: ({ created_at }) => exactTimeElement(created_at, timeZone) },
  { head: 'Attempts', as: 'number', cell: ({ attempts }) => attempts },
  {
    head: 'Last response',
    as: 'number',
    cell: ({ last_response_status }) => last_response_status,
  },
];
