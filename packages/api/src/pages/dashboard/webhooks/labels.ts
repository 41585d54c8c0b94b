import type { EventType } from '@connect-embed/contract';
import type { OrganizationEndpoint } from '../../../webhooks/organization-endpoints.ts';
import { badge, type Tone } from '../table.ts';

/** Descriptions of the webhook event types. */
export const EVENT_LABELS: Record<EventType, string> = {
  'donation.created': 'A donation is received',
  'donation.refunded': 'A donation is refunded',
  'donation.disputed': 'A donation is disputed',
  'registration.created': 'A registration is confirmed',
  'registration.refunded': 'A registration is refunded',
  'payout.created': 'A payout is on its way',
  'payout.paid': 'A payout has arrived',
  'payout.failed': 'A payout has failed',
};

/** The current state of a webhook endpoint as the dashboard shows it. */
interface EndpointState {
  label: string;
  tone: Tone;
  /** Why the endpoint receives no events; undefined if it is enabled. */
  why?: string;
  /** True if the endpoint can be enabled again. */
  canEnable?: boolean;
  /** True if events are delivered to the endpoint. */
  isSending: boolean;
}

/**
 * True if the organization may edit the endpoint: it was created in the dashboard or with an API
 * key that is not revoked.
 */
export const isManaged = ({ of_app, lives }: OrganizationEndpoint) => !of_app && lives;

export function stateOf(endpoint: OrganizationEndpoint): EndpointState {
  const { disabled_reason: reason, lives, failing_since, last_tried_at, of_app } = endpoint;
  if (!lives || reason === 'revoked') {
    const maker = of_app
      ? 'application that made it was disconnected'
      : 'API key that made it was revoked';
    return {
      label: 'Ended',
      tone: 'still',
      why: `The ${maker}. It cannot be switched on again; make a new one.`,
      isSending: false,
    };
  }
  if (reason === 'paused') {
    return {
      label: 'Off',
      tone: 'still',
      why: 'Somebody switched it off here.',
      canEnable: true,
      isSending: false,
    };
  }
  if (reason) {
    const why =
      reason === 'gone'
        ? 'It answered 410 Gone, which asks never to be called again.'
        : 'It failed for five days without a single success.';
    return {
      label: 'Disabled',
      tone: 'bad',
      why: `${why} It was switched off by itself.`,
      canEnable: true,
      isSending: false,
    };
  }
  if (failing_since) return { label: 'Failing', tone: 'wait', isSending: true };
  return last_tried_at
    ? { label: 'Working', tone: 'good', isSending: true }
    : { label: 'Not tried yet', tone: 'still', isSending: true };
}

export const stateBadge = (endpoint: OrganizationEndpoint) => {
  const { label, tone } = stateOf(endpoint);
  return badge(label, tone);
};

export const DELIVERY_TONES = { pending: 'wait', delivered: 'good', failed: 'bad' } as const;
export const DELIVERY_LABELS = {
  pending: 'Pending',
  delivered: 'Delivered',
  failed: 'Failed',
} as const;

/** Names the dashboard, API key or OAuth app that created the endpoint. */
export const creatorText = ({ made_by, of_app, credential_id }: OrganizationEndpoint) =>
  credential_id === null
    ? 'Made in the dashboard'
    : `Made by the ${of_app ? 'application' : 'API key'} ${made_by ?? 'that is gone'}`;
