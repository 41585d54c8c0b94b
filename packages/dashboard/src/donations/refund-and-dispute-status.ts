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

/** Reasons of Stripe that speak of customers and products: https://docs.stripe.com/disputes/categories */
const REASONS: Readonly<Record<string, string>> = {
  requested_by_customer: 'Requested by the donor',
  customer_initiated: 'Taken back by the donor',
  general: 'No reason given',
  credit_not_processed: 'Refund not received',
  product_not_received: 'Something promised was not received',
  product_unacceptable: 'Donor is not satisfied',
  subscription_canceled: 'Recurring donation had been ended',
  unrecognized: 'Not recognized by the donor',
  charge_for_pending_refund_disputed: 'Donation was disputed meanwhile',
  merchant_request: 'Stopped at your request',
};

/** Says the reason that Stripe reports in words, for example `fraudulent`. */
export const reasonText = (reason: string | null) =>
  reason &&
  (REASONS[reason] ?? reason.charAt(0).toUpperCase() + reason.slice(1).replaceAll('_', ' '));

export const DISPUTE_STATUSES: Record<Dispute['status'], [text: string, tone: Tone]> = {
  inquiry: ['Inquiry', 'pending'],
  open: ['Open', 'pending'],
  won: ['Won', 'positive'],
  lost: ['Lost', 'negative'],
  none: ['Inquiry closed', 'neutral'],
};
