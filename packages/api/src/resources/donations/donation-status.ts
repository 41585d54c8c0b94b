/** Texts of donation statuses in the dashboard and in exports. */
export const DONATION_STATUS_TEXTS = {
  paid: 'Paid',
  partly_refunded: 'Partly refunded',
  refunded: 'Refunded',
  disputed: 'Disputed',
  dispute_won: 'Dispute won',
  dispute_lost: 'Dispute lost',
} as const;

export type DonationStatus = keyof typeof DONATION_STATUS_TEXTS;

/** Combines the refund and dispute status. A dispute takes precedence over a refund. */
export function donationStatus({
  refund_status,
  dispute_status,
}: {
  refund_status: string;
  dispute_status: string;
}): DonationStatus {
  if (dispute_status === 'open') return 'disputed';
  if (dispute_status === 'won') return 'dispute_won';
  if (dispute_status === 'lost') return 'dispute_lost';
  if (refund_status === 'full') return 'refunded';
  return refund_status === 'partial' ? 'partly_refunded' : 'paid';
}
