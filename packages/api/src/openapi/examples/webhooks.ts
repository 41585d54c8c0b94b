import type {
  CreateWebhookEndpoint,
  UpdateWebhookEndpoint,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookEvent,
} from '@connect-embed/contract';
import { firstPage, ORGANIZATION_ID, type Examples } from './example.ts';

const SUBSCRIPTION: CreateWebhookEndpoint = {
  url: 'https://hooks.example.com/connect',
  events: ['donation.created', 'donation.refunded'],
  description: 'Thank-you letters',
};

const ENDPOINT: WebhookEndpoint = {
  id: 'we_7bPq2VdXkR4mYtHsN9cJ',
  object: 'webhook_endpoint',
  url: SUBSCRIPTION.url,
  description: 'Thank-you letters',
  events: SUBSCRIPTION.events,
  created_at: '2026-11-20T18:40:00.000Z',
};

const CHANGE: UpdateWebhookEndpoint = { events: ['donation.created', 'payout.paid'] };

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw3pXbHc5nZ8t=';

const DELIVERY: WebhookDelivery = {
  id: 'whd_Xk4TnR7wQz2LmVc9YbHd',
  object: 'webhook_delivery',
  event_type: 'donation.created',
  event_id: 'evt_3nWq8ZrTfKp5LdYxVb2M',
  status: 'delivered',
  attempts: 1,
  last_response_status: 204,
  last_error: null,
  next_attempt_at: null,
  delivered_at: '2026-11-20T18:42:08.127Z',
  created_at: '2026-11-20T18:42:07.904Z',
};

const PENDING: WebhookDelivery = {
  ...DELIVERY,
  status: 'pending',
  attempts: 0,
  last_response_status: null,
  next_attempt_at: '2026-11-20T18:42:07.904Z',
  delivered_at: null,
};

const OF_ENDPOINT = { id: ENDPOINT.id };

export const WEBHOOK_EXAMPLES: Examples = {
  listWebhookEndpoints: [{ response: { data: [ENDPOINT] } }],
  createWebhookEndpoint: [{ body: SUBSCRIPTION, response: { ...ENDPOINT, secret: SECRET } }],
  getWebhookEndpoint: [{ parameters: OF_ENDPOINT, response: ENDPOINT }],
  updateWebhookEndpoint: [
    { parameters: OF_ENDPOINT, body: CHANGE, response: { ...ENDPOINT, ...CHANGE } },
  ],
  rotateWebhookSecret: [
    { parameters: OF_ENDPOINT, body: {}, response: { ...ENDPOINT, secret: SECRET } },
  ],
  testWebhookEndpoint: [
    { parameters: OF_ENDPOINT, body: { event_type: 'donation.created' }, response: PENDING },
  ],
  listWebhookDeliveries: [
    { parameters: { ...OF_ENDPOINT, limit: 1 }, response: firstPage([DELIVERY]) },
  ],
  redeliverWebhook: [
    { parameters: { ...OF_ENDPOINT, delivery_id: DELIVERY.id }, body: {}, response: PENDING },
  ],
  deleteWebhookEndpoint: [
    { parameters: OF_ENDPOINT, response: { id: ENDPOINT.id, deleted: true } },
  ],
};

/** An event as an endpoint receives it. */
export const WEBHOOK_EVENT: WebhookEvent = {
  id: DELIVERY.event_id,
  object: 'event',
  type: 'donation.created',
  created_at: '2026-11-20T18:42:07.904Z',
  livemode: true,
  organization_id: ORGANIZATION_ID,
  related_object: {
    id: 'don_B62RKqvbX5nZ8tYwHcLd',
    object: 'donation',
    url: 'https://api.example.org/api/v1/donations/don_B62RKqvbX5nZ8tYwHcLd',
  },
};
