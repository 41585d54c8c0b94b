import { Hono } from 'hono';
import { html } from 'hono/html';
import type { Deps } from '../pages/deps.ts';
import { readPage } from '@connect-embed/api/resources/lists/page';
import { checkUrl, createEndpoint } from '@connect-embed/api/webhooks/endpoints';
import {
  selectOrganizationEndpoints,
  type OrganizationEndpoint,
} from '@connect-embed/api/webhooks/organization-endpoints';
import { newSecret, secretOf } from '@connect-embed/api/webhooks/secrets';
import { readForm } from '@connect-embed/api/http/read-form';
import type { DashboardContext, DashboardEnv } from '../pages/env.ts';
import { listView } from '../pages/list.ts';
import { organizationPath, renderPage } from '../pages/render-page.ts';
import type { Column } from '../pages/table.ts';
import { resultOrFormError } from '../pages/to-form-error.ts';
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
export const webhooks = (deps: Deps) =>
  new Hono<DashboardEnv>()
    .get('/', (c) => renderList(c, deps))
    .get('/new', (c) => renderNewPage(c, { url: '', events: [], description: '' }))
    .post('/', (c) => createAndShow(c, deps))
    .route('/:id', webhookEndpoint(deps))
    .route('/:id/deliveries', webhookDeliveries(deps));

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

/** Creates the submitted endpoint and redirects to its page, which shows the secret once. */
async function createAndShow(c: DashboardContext, deps: Deps) {
  const enteredValues = readEndpointInput(await readForm(c));
  const created = await create(deps, c.var.organization.organizationId, enteredValues);
  if (typeof created === 'string') return renderNewPage(c, enteredValues, created);
  const text = 'Endpoint created. Use this secret to verify the signatures of webhook events.';
  const secret = { name: 'Signing secret', value: created.secret };
  const path = organizationPath(c, `/webhooks/${created.id}`);
  return await c.var.redirectWithFlash(path, { kind: 'success', text, secret });
}

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
    const encrypted = await webhooks.secretEncrypter.encrypt(secret, secretOf(organizationId));
    const { id } = await createEndpoint(db, owner, validInput, encrypted);
    return { id, secret };
  }, LABELS);
}

function renderNewPage(c: DashboardContext, enteredValues: EndpointInput, problem?: string) {
  const list = organizationPath(c, '/webhooks');
  return renderPage(c, {
    title: 'Add endpoint',
    backLink: { href: list, text: 'Webhooks' },
    content: endpointForm(enteredValues, 'Add endpoint', list),
    problem,
  });
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
