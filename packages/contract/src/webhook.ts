import { z } from 'zod';
import {
  describedAs,
  CreatedAt,
  Description,
  Id,
  OrganizationId,
  SingleLineText,
  Text,
  Timestamp,
  WholeNumber,
  kind,
} from './field-schemas.ts';

/** Every event type that an endpoint can subscribe to: docs/decisions/0008-webhooks.md */
export const EVENT_TYPES = [
  'donation.created',
  'donation.refunded',
  'donation.disputed',
  'registration.created',
  'registration.refunded',
  'payout.created',
  'payout.paid',
  'payout.failed',
  'connection.revoked',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;

/** A URL that receives signed webhook events (spec: webhook_endpoint). */
export const WebhookEndpoint = z.object({
  id: Id,
  object: kind('webhook_endpoint'),
  url: z.string().describe('Where events are sent.'),
  description: Description,
  events: z.array(z.enum(EVENT_TYPES)).describe('The event types that are sent.'),
  created_at: CreatedAt,
});
export type WebhookEndpoint = z.infer<typeof WebhookEndpoint>;

/**
 * Response to creating an endpoint or rotating its secret; no other response contains the secret.
 */
export const WebhookEndpointWithSecret = WebhookEndpoint.extend({
  secret: z
    .string()
    .describe('Secret that signs the events. It is returned only when it is created or rotated.'),
});
export type WebhookEndpointWithSecret = z.infer<typeof WebhookEndpointWithSecret>;

/** Body of `POST /webhooks` (spec: Write endpoints). */
export const CreateWebhookEndpoint = z.strictObject(
  describedAs(WebhookEndpoint, {
    url: z.url().max(2000),
    events: z.array(z.enum(EVENT_TYPES)).min(1).max(EVENT_TYPES.length),
    description: SingleLineText.max(500).optional(),
  }),
);
export type CreateWebhookEndpoint = z.infer<typeof CreateWebhookEndpoint>;

/** Body of `PATCH /webhooks/{id}`: at least one of the same fields. */
export const UpdateWebhookEndpoint = CreateWebhookEndpoint.partial().refine(
  (change) => Object.keys(change).length > 0,
  'must change at least one of url, events, description.',
);
export type UpdateWebhookEndpoint = z.infer<typeof UpdateWebhookEndpoint>;

/**
 * The delivery of one webhook event to one endpoint, with its attempts (spec: webhook_delivery).
 */
export const WebhookDelivery = z.object({
  id: Id,
  object: kind('webhook_delivery'),
  event_type: z.enum(EVENT_TYPES).describe('Type of the event.'),
  event_id: z.string().describe('Id of the event, the `webhook-id` of the request.'),
  status: z
    .enum(DELIVERY_STATUSES)
    .describe('`pending`: will be sent, or sent again. `failed`: there are no further attempts.'),
  attempts: z.int().describe('Number of attempts so far.'),
  last_response_status: WholeNumber.describe('HTTP status of the last response; null without one.'),
  last_error: Text.describe('Why the last attempt failed.'),
  next_attempt_at: Timestamp.nullable().describe('Time of the next attempt.'),
  delivered_at: Timestamp.nullable().describe('Time of the successful attempt.'),
  created_at: CreatedAt,
});
export type WebhookDelivery = z.infer<typeof WebhookDelivery>;

/**
 * The body of a delivered webhook event. It identifies a resource and does not contain it (spec:
 * Events).
 */
export const WebhookEvent = z.object({
  id: Id,
  object: kind('event'),
  type: z.enum(EVENT_TYPES).describe('What happened.'),
  created_at: CreatedAt,
  livemode: z.boolean().describe('False for a test, in which no money moves.'),
  organization_id: OrganizationId,
  related_object: z
    .object({ id: z.string(), object: z.string(), url: z.string() })
    .describe('The resource that changed; read it at `url`.'),
});
export type WebhookEvent = z.infer<typeof WebhookEvent>;
