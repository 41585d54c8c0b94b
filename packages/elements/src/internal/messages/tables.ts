import type { Donation, Payout } from '@connect-embed/contract';

/** The English texts for the first rows of a table. The others: `tables/deferred-texts.ts`. */
export const tableTexts = {
  donations: 'Donations',
  donors: 'Donors',
  payouts: 'Payouts',
  date: 'Date',
  donor: 'Donor',
  fund: 'Fund',
  amount: 'Amount',
  status: 'Status',
  name: 'Name',
  email: 'Email',
  place: 'Location',
  since: 'Since',
  arrival: 'Arrives',
  description: 'Description',

  anonymous: 'Anonymous',
  unknown: '—',
  recurring: 'Recurring',
  more: 'Show more',
  loadingMore: 'Loading…',
  all: (count: string) => `All ${count} shown`,
  failed: 'Data could not be loaded',
};

/**
 * The text of a status and the tone of its color. The text alone is sufficient; the color only
 * repeats it.
 */
export interface Badge {
  text: string;
  tone: 'good' | 'wait' | 'bad' | 'calm';
}

type StatusName = Payout['status'] | Donation['refund_status'] | Donation['dispute_status'];

export const badges: Record<StatusName, Badge> = {
  pending: { text: 'Pending', tone: 'calm' },
  in_transit: { text: 'In transit', tone: 'wait' },
  paid: { text: 'Paid', tone: 'good' },
  failed: { text: 'Failed', tone: 'bad' },
  canceled: { text: 'Canceled', tone: 'calm' },
  none: { text: 'Paid', tone: 'good' },
  partial: { text: 'Partly refunded', tone: 'wait' },
  full: { text: 'Refunded', tone: 'calm' },
  open: { text: 'Disputed', tone: 'bad' },
  won: { text: 'Dispute won', tone: 'good' },
  lost: { text: 'Dispute lost', tone: 'bad' },
};

/** The badge of a donation: its dispute status, or its refund status without a dispute. */
export function donationBadge(donation: Donation, refunded: () => string): Badge {
  const { dispute_status, refund_status } = donation;
  const { text, tone } = badges[dispute_status === 'none' ? refund_status : dispute_status];
  return { text: text.replace('{amount}', refunded), tone };
}
