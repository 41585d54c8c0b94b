import {
  CreateWebhookEndpoint,
  EVENT_TYPES,
  ListQuery,
  notFound,
  UpdateWebhookEndpoint,
  type EventType,
  type WebhookEndpoint,
  type WebhookEndpointWithSecret,
} from '@connect-embed/contract';
import { jsonBody, NoQuery, queryParams } from '@connect-embed/contract/hono';
import { Hono, type Context } from 'hono';
import { z } from 'zod';
import type { Env } from '../../http/env.ts';
import type { Credential } from '../../http/credential.ts';
import type { RequestDeps } from '../../payments/deps.ts';
import { requireScope } from '../../auth/require-scope.ts';
import { forOrganization } from '../../db/organization-scope.ts';
import type { Db } from '../../db/schema.ts';
import { readPage } from '../lists/page.ts';
import {
  checkUrl,
  createEndpoint,
  deleteEndpoint,
  findEndpoint,
  listEndpoints,
  toDelivery,
  toEndpoint,
  updateEndpoint,
  type EndpointKey,
  type EndpointRow,
} from '../../webhooks/endpoints.ts';
import { newSecret, rotateSecret, secretOf } from '../../webhooks/secrets.ts';
import { redeliver, sendTestEvent } from '../../webhooks/redeliver.ts';

/** Validates that a POST request has no body or an empty object. */
const emptyBody = jsonBody(z.strictObject({}), { mayBeEmpty: true });

/** The type of the test event. The default is the first type of the endpoint. */
const TestEvent = z.strictObject({ event_type: z.enum(EVENT_TYPES).optional() });

/**
 * `/webhooks`: the webhook endpoints of a credential and their deliveries (spec: Write and webhook
 * endpoints; details beyond it: docs/decisions/0008-webhooks.md).
 */
export const webhooks = (deps: RequestDeps) => {
  const { db } = deps;
  return new Hono<Env>()
    .use(requireScope('webhooks:write'))
    .get('/', queryParams(NoQuery), async (c) => {
      const rows = await listEndpoints(db, c.var.credential);
      return c.json({ data: rows.map(toEndpoint) });
    })
    .post('/', jsonBody(CreateWebhookEndpoint), async (c) =>
      c.json(await createWebhookEndpoint(deps, c.var.credential, c.req.valid('json')), 201),
    )
    .get('/:id', queryParams(NoQuery), async (c) => c.json(toEndpoint(await loadEndpoint(db, c))))
    .patch('/:id', jsonBody(UpdateWebhookEndpoint), async (c) =>
      c.json(await updateWebhookEndpoint(deps, await loadEndpoint(db, c), c.req.valid('json'))),
    )
    .delete('/:id', async (c) => {
      const endpoint = await loadEndpoint(db, c);
      await deleteEndpoint(db, endpoint);
      return c.json({ id: endpoint.id, deleted: true });
    })
    .post('/:id/rotate-secret', emptyBody, async (c) =>
      c.json(await rotateWebhookSecret(deps, await loadEndpoint(db, c))),
    )
    .get('/:id/deliveries', queryParams(ListQuery), async (c) =>
      c.json(await listDeliveries(deps, await loadEndpoint(db, c), c.req.valid('query'))),
    )
    .post('/:id/test', jsonBody(TestEvent, { mayBeEmpty: true }), async (c) => {
      const endpoint = await loadEndpoint(db, c);
      const { event_type = endpoint.events[0] as EventType } = c.req.valid('json');
      return c.json(await sendTestEvent(db, endpoint, event_type, deps), 201);
    })
    .post('/:id/deliveries/:delivery_id/redeliver', emptyBody, async (c) =>
      c.json(await redeliver(db, await loadEndpoint(db, c), c.req.param('delivery_id'))),
    );
};

/** Finds the endpoint in the path of the request. */
const loadEndpoint = (db: Db, c: Context<Env, '/:id'>) =>
  findEndpoint(db, c.var.credential, c.req.param('id'));

async function createWebhookEndpoint(
  { db, webhooks }: RequestDeps,
  { id: credentialId, organization }: Credential,
  input: CreateWebhookEndpoint,
): Promise<WebhookEndpointWithSecret> {
  const { hosts, secretEncrypter } = webhooks;
  await checkUrl(hosts, input.url);
  const secret = newSecret();
  const owner = { credentialId, organizationId: organization.id };
  const encrypted = await secretEncrypter.encrypt(secret, secretOf(organization.id));
  const row = await createEndpoint(db, owner, input, encrypted);
  return { ...toEndpoint(row), secret };
}

async function updateWebhookEndpoint(
  { db, webhooks }: RequestDeps,
  endpoint: EndpointRow,
  change: UpdateWebhookEndpoint,
): Promise<WebhookEndpoint> {
  await checkUrl(webhooks.hosts, change.url);
  const row = await updateEndpoint(db, endpoint, change);
  if (!row) throw notFound('webhook_endpoint', endpoint.id); // Another request has deleted the endpoint in between.
  return toEndpoint(row);
}

async function rotateWebhookSecret(
  { db, webhooks }: RequestDeps,
  endpoint: EndpointRow,
): Promise<WebhookEndpointWithSecret> {
  const secret = await rotateSecret(db, webhooks.secretEncrypter, endpoint, new Date());
  return { ...toEndpoint(endpoint), secret };
}

function listDeliveries(
  { db, cursorEncrypter }: RequestDeps,
  { id, organization_id }: EndpointKey,
  query: ListQuery,
) {
  const page = {
    table: 'webhook_delivery',
    organizationId: organization_id,
    filters: { endpoint_id: id },
    query,
  } as const;
  const deliveries = forOrganization(db, organization_id)
    .selectFrom('webhook_delivery')
    .selectAll('webhook_delivery')
    .where('endpoint_id', '=', id);
  return readPage(cursorEncrypter, page, deliveries, toDelivery);
}
