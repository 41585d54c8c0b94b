import type { Donation, Payout } from '@connect-embed/contract';
import { html } from 'lit';
import type { DisplayOptions } from './column.ts';

/** Keys of the messages of statuses. */
export type StatusKey =
  | 'received'
  | `payout_${Payout['status']}`
  | `refund_${Exclude<Donation['refund_status'], 'none'>}`
  | `dispute_${Exclude<Donation['dispute_status'], 'none'>}`;

/** The status of a donation: the status of its dispute if there is one, otherwise of its refund. */
export function donationStatus({ dispute_status, refund_status }: Donation): StatusKey {
  if (dispute_status !== 'none') return `dispute_${dispute_status}`;
  return refund_status === 'none' ? 'received' : `refund_${refund_status}`;
}

/** The colors of statuses; the others are muted. */
const TONES: Partial<Record<StatusKey, 'success' | 'pending' | 'error'>> = {
  received: 'success',
  payout_paid: 'success',
  dispute_won: 'success',
  payout_in_transit: 'pending',
  refund_partial: 'pending',
  payout_failed: 'error',
  dispute_open: 'error',
  dispute_lost: 'error',
};

/**
 * Renders a status badge: its text, and a color that only repeats it.
 *
 * @param row a test or recurring donation, or the payout of tests, is marked as such
 */
export function renderBadge(
  status: StatusKey,
  { messages }: DisplayOptions,
  { livemode, recurring }: Partial<Pick<Donation, 'livemode' | 'recurring'>>,
) {
  const text = messages[status];
  const content = recurring
    ? html`${text} <small class="muted">${messages.recurring}</small>`
    : text;
  return html`<bdi class="badge ${TONES[status] ?? 'muted'}"
    >${livemode === false ? html`<b>${messages.test}</b> ${content}` : content}</bdi
  >`;
}
