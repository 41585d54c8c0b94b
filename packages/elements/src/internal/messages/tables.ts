import type { Donation, Payout } from '@connect-embed/contract';

/** Every text of the tables, in English. Another language is the same shape. */
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
  place: 'Place',
  since: 'Since',
  arrival: 'Arrives',
  description: 'Description',

  anonymous: 'Anonymous',
  unknown: '—',
  recurring: 'Recurring',
  more: 'Show more',
  loadingMore: 'Loading…',
  all: (count: string) => `All ${count} shown`,
  loading: (what: string) => `Loading ${what.toLowerCase()}…`,
  added: (count: number, what: string) => `${count} new in ${what.toLowerCase()}`,
  shown: (count: string) => `${count} rows shown`,
  paused: 'Not up to date. Trying again…',
  retry: 'Try again',

  empty: (what: string) => `No ${what.toLowerCase()} yet`,
  failed: 'This could not be loaded',
  failedHint: 'Check your connection and try again.',
  denied: 'You may not see this',
  deniedHint: 'Ask whoever runs this page to give you access.',
  expired: 'Your sign-in has ended',
  expiredHint: 'Sign in again to see this.',
  busy: 'Too many requests just now',
  busyHint: 'Please try again in a moment.',
} as const;

/** How a status is said, and the tone of its color. Text first: color is never alone. */
export interface Badge {
  text: string;
  tone: 'good' | 'wait' | 'bad' | 'calm';
}

export const payoutBadges: Readonly<Record<Payout['status'], Badge>> = {
  pending: { text: 'Pending', tone: 'calm' },
  in_transit: { text: 'In transit', tone: 'wait' },
  paid: { text: 'Paid', tone: 'good' },
  failed: { text: 'Failed', tone: 'bad' },
  canceled: { text: 'Canceled', tone: 'calm' },
};

const DISPUTES: Readonly<Partial<Record<Donation['dispute_status'], Badge>>> = {
  open: { text: 'Disputed', tone: 'bad' },
  won: { text: 'Dispute won', tone: 'good' },
  lost: { text: 'Dispute lost', tone: 'bad' },
};

/** What happened to a donation since it was given; a dispute outweighs a refund. */
export function donationBadge(donation: Donation, refunded: string): Badge {
  const dispute = DISPUTES[donation.dispute_status];
  if (dispute) return dispute;
  if (donation.refund_status === 'full') return { text: 'Refunded', tone: 'calm' };
  if (donation.refund_status === 'partial') return { text: `${refunded} refunded`, tone: 'wait' };
  return { text: 'Received', tone: 'good' };
}
