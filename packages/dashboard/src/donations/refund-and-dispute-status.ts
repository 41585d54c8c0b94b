import type { Selectable } from 'kysely';
import type { Database } from '@connect-embed/api/db/schema';
import type { Tone } from '../pages/table.ts';

type Refund = Pick<Selectable<Database['refund']>, 'status' | 'failure_reason'>;
type Dispute = Pick<Selectable<Database['donation_dispute']>, 'status'>;

/** Names the state of a refund. Stripe reports a canceled refund as one that failed. */
export const refundStatus = ({ status, failure_reason }: Refund): [text: string, tone: Tone] =>
  status === 'failed' && failure_reason === 'canceled'
    ? ['Canceled', 'neutral']
    : REFUND_STATUSES[status];

const REFUND_STATUSES: Record<Refund['status'], [string, Tone]> = {
  requested: ['Pending', 'pending'],
  submitted: ['Pending', 'pending'],
  succeeded: ['Refunded', 'positive'],
  failed: ['Failed', 'negative'],
};

/** Writes the reason that Stripe reports, for example `requested_by_customer`, as words. */
export const reasonText = (reason: string | null) =>
  reason && reason.charAt(0).toUpperCase() + reason.slice(1).replaceAll('_', ' ');

export const DISPUTE_STATUSES: Record<Dispute['status'], [text: string, tone: Tone]> = {
  none: ['Inquiry', 'neutral'],
  open: ['Open', 'pending'],
  won: ['Won', 'positive'],
  lost: ['Lost', 'negative'],
};
