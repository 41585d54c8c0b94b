import {
  DONATION_STATUS_TEXTS as TEXTS,
  type DonationStatus,
} from '@connect-embed/api/resources/donations/donation-status';
import type { Tone } from '../pages/table.ts';

/** Label, badge tone and filter of each donation status in tables. The filter finds exactly the donations with that badge. */
export const DONATION_STATUSES = {
  paid: {
    text: TEXTS.paid,
    tone: 'positive',
    query: { refund_status: 'none', dispute_status: 'none' },
  },
  partly_refunded: {
    text: TEXTS.partly_refunded,
    tone: 'pending',
    query: { refund_status: 'partial', dispute_status: 'none' },
  },
  refunded: {
    text: TEXTS.refunded,
    tone: 'neutral',
    query: { refund_status: 'full', dispute_status: 'none' },
  },
  disputed: { text: TEXTS.disputed, tone: 'negative', query: { dispute_status: 'open' } },
  dispute_won: { text: TEXTS.dispute_won, tone: 'positive', query: { dispute_status: 'won' } },
  dispute_lost: { text: TEXTS.dispute_lost, tone: 'negative', query: { dispute_status: 'lost' } },
} as const satisfies Record<
  DonationStatus,
  { text: string; tone: Tone; query: { refund_status?: string; dispute_status?: string } }
>;
