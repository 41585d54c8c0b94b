import type { EventType } from '@connect-embed/contract';
import type { OrganizationEndpoint } from '../../../webhooks/organization-endpoints.ts';
import { badge, type Tone } from '../table.ts';

/** Descriptions of the webhook event types. */
export const EVENT_LABELS: Record<EventType, string> = {
  'donation.created': 'Donation received',
  'donation.refunded': 'Donation refunded',
  'donation.disputed': 'Donation disputed',
  'registration.created': 'Registration confirmed',
  'registration.refunded': 'Registration refunded',
  'payout.created': 'Payout created',
  'payout.paid': 'Payout paid',
  'payout.failed': 'Payout failed',
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
      ? 'app that created it was disconnected'
      : 'API key that created it was revoked';
    return {
      label: 'Ended',
      tone: 'still',
      why: `The ${maker}. It cannot be turned on again. Create a new endpoint.`,
      isSending: false,
    };
  }
  if (reason === 'paused') {
    return {
      label: 'Off',
      tone: 'still',
      why: 'A team member turned it off.',
      canEnable: true,
      isSending: false,
    };
  }
  if (reason) {
    const why =
      reason === 'gone'
        ? 'It responded with 410 Gone, which means that it no longer exists.'
        : 'All deliveries failed for five days.';
    return {
      label: 'Disabled',
      tone: 'bad',
      why: `${why} It was disabled automatically.`,
      canEnable: true,
      isSending: false,
    };
  }
  if (failing_since) return { label: 'Failing', tone: 'wait', isSending: true };
  return last_tried_at
    ? { label: 'Working', tone: 'good', isSending: true }
    : { label: 'No deliveries yet', tone: 'still', isSending: true };
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
    ? 'Created in the dashboard'
    : `Created by the ${of_app ? 'app' : 'API key'} ${made_by ?? '(deleted)'}`;
