import { DELIVERY_STATUSES } from '@connect-embed/contract';
import { Hono, type Context } from 'hono';
import { html } from 'hono/html';
import type { Selectable } from 'kysely';
import { forOrganization } from '../../../db/organization-scope.ts';
import type { Deps } from '../../deps.ts';
import { readPage } from '../../../resources/lists/page.ts';
import type { Database } from '../../../db/schema.ts';
import {
  findDelivery,
  findOrganizationEndpoint,
  type OrganizationEndpoint,
} from '../../../webhooks/organization-endpoints.ts';
import { redeliver } from '../../../webhooks/redeliver.ts';
import type { Html } from '../../../lib/html.ts';
import type { DashboardEnv } from '../env.ts';
import { dashboardPage, exactTimeElement, timeZoneOf } from '../dashboard-layout.ts';
import { PAGE_SIZE } from '../page-size.ts';
import { badge, empty, pager, table, type Column } from '../table.ts';
import { resultOrFormError } from '../to-form-error.ts';
import { deliveryView } from './delivery-view.ts';
import { DELIVERY_TONES, DELIVERY_LABELS, stateOf } from './labels.ts';

type Delivery = Selectable<Database['webhook_delivery']>;

/** Dashboard page of one webhook delivery: its attempts and the button that redelivers it. */
export const webhookDeliveries = ({ db }: Deps) => {
  const find = async (c: Context<DashboardEnv>) => {
    const { organizationId } = c.var.organization;
    const endpoint = await findOrganizationEndpoint(db, organizationId, c.req.param('id') ?? '');
    const path = `/dashboard/${organizationId}/webhooks/${endpoint.id}`;
    return { endpoint, path };
  };
  return new Hono<DashboardEnv>()
    .get('/:delivery', async (c) => {
      const { endpoint, path } = await find(c);
      const deliveryWithAttempts = await findDelivery(db, endpoint, c.req.param('delivery'));
      const pageContext = { ...c.var.pageContext, backLink: { href: path, text: endpoint.url } };
      const content = deliveryView(
        {
          path: pageContext.path,
          timeZone: timeZoneOf(pageContext),
          canSend: stateOf(endpoint).isSending,
        },
        deliveryWithAttempts,
      );
      return c.html(dashboardPage(pageContext, deliveryWithAttempts.delivery.event_type, content));
    })
    .post('/:delivery/redeliver', async (c) => {
      const { endpoint, path } = await find(c);
      const id = c.req.param('delivery');
      const sent = await resultOrFormError(() => redeliver(db, endpoint, id));
      const text = 'Redelivery queued. Reload the page to see the result.';
      return await c.var.redirectWithFlash(
        `${path}/deliveries/${id}`,
        typeof sent === 'string' ? { kind: 'problem', text: sent } : { kind: 'success', text },
      );
    });
};

/**
 * Renders the list of an endpoint's deliveries, newest first. The URL parameter `status` filters by
 * delivery status.
 */
export async function readDeliveries(
  { db, cursorEncrypter }: Deps,
  c: Context<DashboardEnv>,
  { id, organization_id: organizationId }: OrganizationEndpoint,
): Promise<Html> {
  const status = DELIVERY_STATUSES.find((each) => each === c.req.query('status'));
  const cursor = c.req.query('cursor');
  const filters = { endpoint_id: id, ...(status && { status }) };
  const query = { limit: PAGE_SIZE, ...(cursor && { cursor }) };
  const page = { table: 'webhook_delivery', organizationId, filters, query } as const;
  let select = forOrganization(db, organizationId)
    .selectFrom('webhook_delivery')
    .selectAll('webhook_delivery')
    .where('endpoint_id', '=', id);
  if (status) select = select.where('status', '=', status);
  const { data, next_cursor: next } = await readPage(cursorEncrypter, page, select, (row) => row);
  const { path } = c.var.pageContext;
  return html`<h2 id="deliveries">Deliveries in the last 30 days</h2>
    ${filterLinks(path, status)}
    ${data.length ? list(path, data, timeZoneOf(c.var.pageContext)) : empty(status ? 'No deliveries with this status.' : 'No deliveries yet.')}
    ${pager(path, { cursor, next, filters: status ? { status } : {} })}`;
}

const filterLinks = (path: string, selected: string | undefined) =>
  html`<ul class="filters" aria-label="Show">
    ${[undefined, ...DELIVERY_STATUSES].map(
      (status) =>
        html`<li>
          <a
            href="${status ? `${path}?status=${status}` : path}#deliveries"
            ${status === selected ? html`aria-current="true"` : ''}
            >${status ? DELIVERY_LABELS[status] : 'All'}</a
          >
        </li>`,
    )}
  </ul>`;

const list = (path: string, deliveries: Delivery[], timeZone: string) => {
  const columns: Column<Delivery>[] = [
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
  return table('Deliveries', columns, deliveries);
};
