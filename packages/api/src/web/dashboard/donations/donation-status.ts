import type { Tone } from '../table.ts';

interface Statuses {
  refund_status: string;
  dispute_status: string;
}

/** Label, badge tone and filter of each donation status in tables and exports. */
export const DONATION_STATUSES = {
  paid: {
    text: 'Paid',
    tone: 'positive',
    query: { refund_status: 'none', dispute_status: 'none' },
  },
  partly_refunded: {
    text: 'Partly refunded',
    tone: 'pending',
    query: { refund_status: 'partial' },
  },
  refunded: { text: 'Refunded', tone: 'neutral', query: { refund_status: 'full' } },
  disputed: { text: 'Disputed', tone: 'negative', query: { dispute_status: 'open' } },
  dispute_won: { text: 'Dispute won', tone: 'positive', query: { dispute_status: 'won' } },
  dispute_lost: { text: 'Dispute lost', tone: 'negative', query: { dispute_status: 'lost' } },
} as const satisfies Record<string, { text: string; tone: Tone; query: Partial<Statuses> }>;

export type DonationStatus = keyof typeof DONATION_STATUSES;

/** Combines the refund and dispute status. A dispute takes precedence over a refund. */
export function donationStatus({ refund_status, dispute_status }: Statuses): DonationStatus {
  if (dispute_status === 'open') return 'disputed';
  if (dispute_status === 'won') return 'dispute_won';
  if (dispute_status === 'lost') return 'dispute_lost';
  if (refund_status === 'full') return 'refunded';
  return refund_status === 'partial' ? 'partly_refunded' : 'paid';
}
