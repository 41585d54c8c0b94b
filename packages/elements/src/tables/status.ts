import type { Donation, Payout } from '@connect-embed/contract';
import { html, nothing } from 'lit';
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
 * @param note a further text in it
 * @param livemode false for a test, which the badge says first
 */
export function renderBadge(
  status: StatusKey,
  { messages }: DisplayOptions,
  note?: string,
  livemode = true,
) {
  const text = messages[status];
  const content = note ? html`${text} <small class="muted">${note}</small>` : text;
  return html`<bdi class="badge ${TONES[status] ?? 'muted'}"
    >${livemode ? nothing : html`<b>${messages.test}</b> `}${content}</bdi
  >`;
}
