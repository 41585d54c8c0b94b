import { Hono } from 'hono';
import { html } from 'hono/html';
import type { Deps } from '../../deps.ts';
import { readPage } from '../../../resources/lists/page.ts';
import { checkUrl, createEndpoint } from '../../../webhooks/endpoints.ts';
import {
  selectOrganizationEndpoints,
  type OrganizationEndpoint,
} from '../../../webhooks/organization-endpoints.ts';
import { newSecret } from '../../../webhooks/secrets.ts';
import { readForm } from '../../read-form.ts';
import type { DashboardEnv } from '../env.ts';
import { dashboardPage } from '../dashboard-layout.ts';
import { empty, pager, table, type Column } from '../table.ts';
import { PAGE_SIZE } from '../page-size.ts';
import { resultOrFormError } from '../to-form-error.ts';
import { webhookDeliveries } from './deliveries.ts';
import { webhookEndpoint } from './endpoint.ts';
import {
  validateEndpointInput,
  endpointForm,
  LABELS,
  readEndpointInput,
  type EndpointInput,
} from './endpoint-form.ts';
import { creatorText, stateBadge } from './labels.ts';

/**
 * Dashboard pages “Webhooks” in the section “Developers”: the list of the organization's webhook
 * endpoints, and the pages of each endpoint.
 */
export const webhooks = (deps: Deps) => {
  const { db, cursorEncrypter } = deps;
  return new Hono<DashboardEnv>()
    .get('/', async (c) => {
      const { pageContext, organization } = c.var;
      const { organizationId } = organization;
      const cursor = c.req.query('cursor');
      const query = { limit: PAGE_SIZE, ...(cursor && { cursor }) };
      const page = { table: 'webhook_endpoint', organizationId, query } as const;
      const endpoints = selectOrganizationEndpoints(db, organizationId);
      const { data, next_cursor: next } = await readPage(
        cursorEncrypter,
        page,
        endpoints,
        (row) => row,
      );
      const content = html`${intro(pageContext.path)}
      ${data.length ? list(pageContext.path, data) : empty('No endpoints yet.')}
      ${pager(pageContext.path, { cursor, next })}`;
      return c.html(dashboardPage(pageContext, 'Webhooks', content));
    })
    .get('/new', (c) => c.html(newPage(c.var, { url: '', events: [], description: '' })))
    .post('/', async (c) => {
      const { organization, pageContext } = c.var;
      const enteredValues = readEndpointInput(await readForm(c));
      const created = await create(deps, organization.organizationId, enteredValues);
      if (typeof created === 'string') return c.html(newPage(c.var, enteredValues, created), 400);
      const { id, secret: value } = created;
      const secret = { name: 'Signing secret', value };
      const text = 'Endpoint created. Use this secret to verify the signatures of webhook events.';
      return await c.var.redirectWithFlash(`${pageContext.path}/${id}`, {
        kind: 'success',
        text,
        secret,
      });
    })
    .route('/:id', webhookEndpoint(deps))
    .route('/:id/deliveries', webhookDeliveries(deps));
};

/**
 * Creates an endpoint with a new signing secret.
 *
 * @returns the endpoint id and its secret, or an error message
 */
async function create(
  { db, webhooks }: Deps,
  organizationId: string,
  enteredValues: EndpointInput,
) {
  const validInput = validateEndpointInput(enteredValues);
  if (typeof validInput === 'string') return validInput;
  return await resultOrFormError(async () => {
    await checkUrl(webhooks.hosts, validInput.url);
    const secret = newSecret();
    const owner = { organizationId, credentialId: null };
    const { id } = await createEndpoint(
      db,
      owner,
      validInput,
      await webhooks.secretEncrypter.encrypt(secret),
    );
    return { id, secret };
  }, LABELS);
}

function newPage(
  { pageContext, organization }: DashboardEnv['Variables'],
  enteredValues: EndpointInput,
  problem?: string,
) {
  const list = `/dashboard/${organization.organizationId}/webhooks`;
  const backLink = { href: list, text: 'Webhooks' };
  const content = endpointForm(enteredValues, 'Add endpoint', list);
  const flash = problem ? ({ kind: 'problem', text: problem } as const) : pageContext.flash;
  return dashboardPage({ ...pageContext, backLink }, 'Add endpoint', content, flash);
}

const intro = (path: string) =>
  html`<p class="muted">
      An endpoint is a URL of your software that receives webhook events. Each event is signed, and
      a failed delivery is retried for three days.
    </p>
    <p><a class="button" href="${path}/new">Add endpoint</a></p>`;

const list = (path: string, endpoints: OrganizationEndpoint[]) => {
  const columns: Column<OrganizationEndpoint>[] = [
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
  return table('Endpoints', columns, endpoints);
};
