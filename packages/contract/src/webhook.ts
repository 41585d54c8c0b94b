import { z } from 'zod';
import { SingleLineText, Text, Timestamp } from './field-schemas.ts';

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
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;

/** A URL that receives signed webhook events (spec: webhook_endpoint). */
export const WebhookEndpoint = z.object({
  id: z.string(),
  object: z.literal('webhook_endpoint'),
  url: z.string(),
  description: Text,
  events: z.array(z.enum(EVENT_TYPES)),
  created_at: Timestamp,
});
export type WebhookEndpoint = z.infer<typeof WebhookEndpoint>;

/**
 * Response to creating an endpoint or rotating its secret; no other response contains the secret.
 */
export const WebhookEndpointWithSecret = WebhookEndpoint.extend({ secret: z.string() });
export type WebhookEndpointWithSecret = z.infer<typeof WebhookEndpointWithSecret>;

/** Body of `POST /webhooks` (spec: Write endpoints). */
export const CreateWebhookEndpoint = z.strictObject({
  url: z.url().max(2000),
  events: z.array(z.enum(EVENT_TYPES)).min(1).max(EVENT_TYPES.length),
  description: SingleLineText.max(500).optional(),
});
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
  id: z.string(),
  object: z.literal('webhook_delivery'),
  event_type: z.enum(EVENT_TYPES),
  event_id: z.string(),
  status: z.enum(DELIVERY_STATUSES),
  attempts: z.int(),
  last_response_status: z.int().nullable(),
  last_error: Text,
  next_attempt_at: Timestamp.nullable(),
  delivered_at: Timestamp.nullable(),
  created_at: Timestamp,
});
export type WebhookDelivery = z.infer<typeof WebhookDelivery>;

/**
 * The body of a delivered webhook event. It identifies a resource and does not contain it (spec:
 * Events).
 */
export const WebhookEvent = z.object({
  id: z.string(),
  object: z.literal('event'),
  type: z.enum(EVENT_TYPES),
  created_at: Timestamp,
  livemode: z.boolean(),
  organization_id: z.string(),
  related_object: z.object({ id: z.string(), object: z.string(), url: z.string() }),
});
export type WebhookEvent = z.infer<typeof WebhookEvent>;
