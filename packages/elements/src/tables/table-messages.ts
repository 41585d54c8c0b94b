import type { Donation, Payout } from '@connect-embed/contract';
import { tables } from '@connect-embed/locales/en.json';
import type { TablesMessages } from '../shared/message-types.ts';

/**
 * The messages of the table that is rendered now; all rendering code reads this object. It starts
 * with the English messages of the first rows. `tables/i18n.ts` adds the others, and copies
 * the messages of a table here before each render of it.
 */
export const messages = { ...tables } as TablesMessages;

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
