import type {
  CreateWebhookEndpoint,
  EventType,
  ListQuery,
  UpdateWebhookEndpoint,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookEndpointWithSecret,
} from '@connect-embed/contract';
import { path, type Call, type RequestOptions } from '../call.ts';
import type { Filters } from '../filters.ts';
import { ResourceList } from '../resource-list.ts';

/** All methods need the scope `webhooks:write` and see the endpoints of this credential only. */
export const webhookMethods = (call: Call) => ({
  /** Lists all webhook endpoints, newest first. There are no pages. */
  list: (options?: RequestOptions) =>
    call<{ data: WebhookEndpoint[] }>('GET', '/webhooks', undefined, options),

  /** Creates a webhook endpoint. The response contains its `secret`. */
  create: (endpoint: CreateWebhookEndpoint, options?: RequestOptions) =>
    call<WebhookEndpointWithSecret>('POST', '/webhooks', endpoint, options),

  /** Reads a webhook endpoint, without its secret. @throws {ConnectError} `not_found` */
  get: (id: string, options?: RequestOptions) =>
    call<WebhookEndpoint>('GET', path`/webhooks/${id}`, undefined, options),

  /** Changes a webhook endpoint. */
  update: (id: string, change: UpdateWebhookEndpoint, options?: RequestOptions) =>
    call<WebhookEndpoint>('PATCH', path`/webhooks/${id}`, change, options),

  /** Deletes a webhook endpoint with its deliveries. */
  delete: (id: string, options?: RequestOptions) =>
    call<{ id: string; deleted: true }>('DELETE', path`/webhooks/${id}`, undefined, options),

  /** Creates another secret. For 24 hours, deliveries are also signed with the old one. */
  rotateSecret: (id: string, options?: RequestOptions) =>
    call<WebhookEndpointWithSecret>(
      'POST',
      path`/webhooks/${id}/rotate-secret`,
      undefined,
      options,
    ),

  /** Lists the deliveries of a webhook endpoint, newest first. */
  deliveries: (id: string, filters?: Filters<ListQuery>, options?: RequestOptions) =>
    new ResourceList<WebhookDelivery>(call, path`/webhooks/${id}/deliveries`, filters, options),

  /** Sends a test event to a webhook endpoint. */
  test: (id: string, event: { event_type?: EventType } = {}, options?: RequestOptions) =>
    call<WebhookDelivery>('POST', path`/webhooks/${id}/test`, event, options),

  /** Sends a delivery again. */
  redeliver: (id: string, deliveryId: string, options?: RequestOptions) =>
    call<WebhookDelivery>(
      'POST',
      path`/webhooks/${id}/deliveries/${deliveryId}/redeliver`,
      undefined,
      options,
    ),
});
