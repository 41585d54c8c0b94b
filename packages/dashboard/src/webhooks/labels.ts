import { ConnectError, type EventType } from '@connect-embed/contract';
import type { OrganizationEndpoint } from '@connect-embed/api/webhooks/organization-endpoints';
import { badge, type Tone } from '../pages/table.ts';

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
  'connection.revoked': 'App disconnected',
};

/** The current state of a webhook endpoint as the dashboard shows it. */
interface EndpointState {
  label: string;
  tone: Tone;
  /** The reason why the endpoint receives no events; undefined if it is enabled. */
  statusReason?: string;
  /** True if the endpoint can be enabled again. */
  canEnable?: boolean;
  /** True if events are delivered to the endpoint. */
  isSending: boolean;
}

/**
 * Returns whether the organization may edit the endpoint, because it was created in the dashboard
 * or with an API key that is not revoked.
 */
export const isManaged = ({ is_created_by_app, is_credential_active }: OrganizationEndpoint) =>
  !is_created_by_app && is_credential_active;

export function stateOf(endpoint: OrganizationEndpoint): EndpointState {
  const { disabled_reason: reason, is_credential_active } = endpoint;
  if (!is_credential_active || reason === 'revoked') return endedState(endpoint);
  if (reason === 'paused') {
    const statusReason = 'A team member turned it off.';
    return { label: 'Off', tone: 'neutral', statusReason, canEnable: true, isSending: false };
  }
  if (reason) {
    const cause =
      reason === 'gone'
        ? 'It responded with 410 Gone, which means that it no longer exists.'
        : 'All deliveries failed for five days.';
    const statusReason = `${cause} It was disabled automatically.`;
    return { label: 'Disabled', tone: 'negative', statusReason, canEnable: true, isSending: false };
  }
  if (endpoint.failing_since) return { label: 'Failing', tone: 'pending', isSending: true };
  return endpoint.last_attempt_at
    ? { label: 'Working', tone: 'positive', isSending: true }
    : { label: 'No deliveries yet', tone: 'neutral', isSending: true };
}

/**
 * Refuses a change that the state of the endpoint does not allow, for example because the page was
 * outdated when its button was pressed.
 *
 * @throws {ConnectError} `conflict`
 */
export function requireAvailable(isAvailable: boolean | undefined): asserts isAvailable {
  if (isAvailable) return;
  const text = 'This action is not available for the endpoint in its current status.';
  throw new ConnectError('conflict', text);
}

function endedState({ is_created_by_app }: OrganizationEndpoint): EndpointState {
  const creatorState = is_created_by_app
    ? 'app that created it was disconnected'
    : 'API key that created it was revoked';
  const statusReason = `The ${creatorState}. It cannot be turned on again. Create a new endpoint.`;
  return { label: 'Ended', tone: 'neutral', statusReason, isSending: false };
}

export const stateBadge = (endpoint: OrganizationEndpoint) => {
  const { label, tone } = stateOf(endpoint);
  return badge(label, tone);
};

export const DELIVERY_TONES = {
  pending: 'pending',
  delivered: 'positive',
  failed: 'negative',
} as const;
export const DELIVERY_LABELS = {
  pending: 'Pending',
  delivered: 'Delivered',
  failed: 'Failed',
} as const;

/** Names the dashboard, API key or OAuth app that created the endpoint. */
export const creatorText = ({
  creator_name,
  is_created_by_app,
  credential_id,
}: OrganizationEndpoint) =>
  credential_id === null
    ? 'Created in the dashboard'
    : `Created by the ${is_created_by_app ? 'app' : 'API key'} ${creator_name ?? '(deleted)'}`;
