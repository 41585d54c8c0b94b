import {
  CreateWebhookEndpoint,
  EVENT_TYPES,
  ListQuery,
  notFound,
  UpdateWebhookEndpoint,
  type WebhookEndpointWithSecret,
} from '@connect-embed/contract';
import { jsonBody, queryParams } from '@connect-embed/contract/hono';
import { Hono } from 'hono';
import { z } from 'zod';
import type { Env } from '../../http/env.ts';
import type { RequestDeps } from '../../payments/deps.ts';
import { requireScope } from '../../auth/require-scope.ts';
import { forOrganization } from '../../db/organization-scope.ts';
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
} from '../../webhooks/endpoints.ts';
import { newSecret, rotateSecret } from '../../webhooks/secrets.ts';
import { redeliver, sendTestEvent } from '../../webhooks/redeliver.ts';
import { NoQuery } from '../../http/no-query.ts';

/** Validates that a POST request has no body or an empty object. */
const emptyBody = jsonBody(z.strictObject({}), { mayBeEmpty: true });

/** The type of the test event. The default is the first type of the endpoint. */
const TestEvent = z.strictObject({ event_type: z.enum(EVENT_TYPES).optional() });

/**
 * `/webhooks`: the webhook endpoints of a credential and their deliveries (spec: Write and webhook
 * endpoints; details beyond it: docs/decisions/0008-webhooks.md).
 */
export const webhooks = (deps: RequestDeps) => {
  const { db, cursorEncrypter, webhooks } = deps;
  const { hosts, secretEncrypter: encrypter } = webhooks;
  return new Hono<Env>()
    .use(requireScope('webhooks:write'))
    .get('/', queryParams(NoQuery), async (c) => {
      const rows = await listEndpoints(db, c.var.credential);
      return c.json({ data: rows.map(toEndpoint) });
    })
    .post('/', jsonBody(CreateWebhookEndpoint), async (c) => {
      const input = c.req.valid('json');
      await checkUrl(hosts, input.url);
      const secret = newSecret();
      const { id: credentialId, organization } = c.var.credential;
      const owner = { credentialId, organizationId: organization.id };
      const row = await createEndpoint(db, owner, input, await encrypter.encrypt(secret));
      return c.json({ ...toEndpoint(row), secret } satisfies WebhookEndpointWithSecret, 201);
    })
    .get('/:id', queryParams(NoQuery), async (c) => {
      return c.json(toEndpoint(await findEndpoint(db, c.var.credential, c.req.param('id'))));
    })
    .patch('/:id', jsonBody(UpdateWebhookEndpoint), async (c) => {
      const endpoint = await findEndpoint(db, c.var.credential, c.req.param('id'));
      const change = c.req.valid('json');
      await checkUrl(hosts, change.url);
      const row = await updateEndpoint(db, endpoint, change);
      if (!row) throw notFound('webhook_endpoint', endpoint.id); // Another request has deleted the endpoint in between.
      return c.json(toEndpoint(row));
    })
    .delete('/:id', async (c) => {
      const endpoint = await findEndpoint(db, c.var.credential, c.req.param('id'));
      await deleteEndpoint(db, endpoint);
      return c.json({ id: endpoint.id, deleted: true });
    })
    .post('/:id/rotate-secret', emptyBody, async (c) => {
      const endpoint = await findEndpoint(db, c.var.credential, c.req.param('id'));
      const secret = await rotateSecret(db, encrypter, endpoint, new Date());
      return c.json({ ...toEndpoint(endpoint), secret } satisfies WebhookEndpointWithSecret);
    })
    .get('/:id/deliveries', queryParams(ListQuery), async (c) => {
      const { id, organization_id } = await findEndpoint(db, c.var.credential, c.req.param('id'));
      const page = {
        table: 'webhook_delivery',
        organizationId: organization_id,
        filters: { endpoint_id: id },
        query: c.req.valid('query'),
      } as const;
      const deliveries = forOrganization(db, organization_id)
        .selectFrom('webhook_delivery')
        .selectAll('webhook_delivery')
        .where('endpoint_id', '=', id);
      return c.json(await readPage(cursorEncrypter, page, deliveries, toDelivery));
    })
    .post('/:id/test', jsonBody(TestEvent, { mayBeEmpty: true }), async (c) => {
      const endpoint = await findEndpoint(db, c.var.credential, c.req.param('id'));
      const { event_type = endpoint.events[0] as (typeof EVENT_TYPES)[number] } =
        c.req.valid('json');
      return c.json(await sendTestEvent(db, endpoint, event_type, deps), 201);
    })
    .post('/:id/deliveries/:delivery_id/redeliver', emptyBody, async (c) => {
      const endpoint = await findEndpoint(db, c.var.credential, c.req.param('id'));
      return c.json(await redeliver(db, endpoint, c.req.param('delivery_id')));
    });
};
