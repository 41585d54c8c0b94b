import type { EventType } from '@connect-embed/contract';
import type { OrganizationEndpoint } from '../../../webhooks/organization-endpoints.ts';
import { badge, type Tone } from '../table.ts';

/** What an event type means to somebody who chooses what to be told. */
export const EVENT_WORDS: Record<EventType, string> = {
  'donation.created': 'A donation is received',
  'donation.refunded': 'A donation is refunded',
  'donation.disputed': 'A donation is disputed',
  'registration.created': 'A registration is confirmed',
  'registration.refunded': 'A registration is refunded',
  'payout.created': 'A payout is on its way',
  'payout.paid': 'A payout has arrived',
  'payout.failed': 'A payout has failed',
};

/** What an endpoint is at this moment, and what there is to do about it. */
interface State {
  word: string;
  tone: Tone;
  /** Why nothing is sent to it; absent while something is. */
  why?: string;
  /** Whether it can be switched on again. */
  wayBack?: boolean;
  /** Whether notices go there. */
  sends: boolean;
}

/** Whether the organization may change it: it made it, or one of its living keys did. */
export const isManaged = ({ of_app, lives }: OrganizationEndpoint) => !of_app && lives;

export function stateOf(endpoint: OrganizationEndpoint): State {
  const { disabled_reason: reason, lives, failing_since, last_tried_at, of_app } = endpoint;
  if (!lives || reason === 'revoked') {
    const maker = of_app
      ? 'application that made it was disconnected'
      : 'API key that made it was revoked';
    return {
      word: 'Ended',
      tone: 'still',
      why: `The ${maker}. It cannot be switched on again; make a new one.`,
      sends: false,
    };
  }
  if (reason === 'paused') {
    return {
      word: 'Off',
      tone: 'still',
      why: 'Somebody switched it off here.',
      wayBack: true,
      sends: false,
    };
  }
  if (reason) {
    const why =
      reason === 'gone'
        ? 'It answered 410 Gone, which asks never to be called again.'
        : 'It failed for five days without a single success.';
    return {
      word: 'Disabled',
      tone: 'bad',
      why: `${why} It was switched off by itself.`,
      wayBack: true,
      sends: false,
    };
  }
  if (failing_since) return { word: 'Failing', tone: 'wait', sends: true };
  return last_tried_at
    ? { word: 'Working', tone: 'good', sends: true }
    : { word: 'Not tried yet', tone: 'still', sends: true };
}

export const stateBadge = (endpoint: OrganizationEndpoint) => {
  const { word, tone } = stateOf(endpoint);
  return badge(word, tone);
};

export const DELIVERY_TONE = { pending: 'wait', delivered: 'good', failed: 'bad' } as const;
export const DELIVERY_WORD = {
  pending: 'Pending',
  delivered: 'Delivered',
  failed: 'Failed',
} as const;

/** Who manages it. */
export const makerOf = ({ made_by, of_app, credential_id }: OrganizationEndpoint) =>
  credential_id === null
    ? 'Made in the dashboard'
    : `Made by the ${of_app ? 'application' : 'API key'} ${made_by ?? 'that is gone'}`;
