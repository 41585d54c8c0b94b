import type { Insertable, Selectable } from 'kysely';
import type { Database } from '../schema.ts';

const DAY_MS = 86_400_000;

type Donation = Selectable<Database['donation']>;

const daysAfter = (at: Date, days: number) => new Date(at.getTime() + days * DAY_MS);
const earlier = (first: Date, second: Date) => (first < second ? first : second);

/** When the refund of a donation began. */
export const refundedAt = ({ created_at }: { created_at: Date }, now: Date): Date =>
  earlier(daysAfter(created_at, 3), now);

/** When the dispute of a donation began. An open one began lately, so that it can still be answered. */
export function disputedAt(
  { created_at, dispute_status }: { created_at: Date; dispute_status?: string | undefined },
  now: Date,
): Date {
  const at = daysAfter(created_at, 8);
  const isOverdue = dispute_status === 'open' && at < daysAfter(now, -5);
  return isOverdue ? daysAfter(now, -5) : earlier(at, now);
}

/** Invents the refunds and disputes of donations that have one: each some days after the donation. */
export function inventRefundsAndDisputes(donations: readonly Donation[], now: Date) {
  const refunds = donations
    .filter(({ refunded_amount_cents }) => refunded_amount_cents > 0)
    .map((donation): Insertable<Database['refund']> => ({
      id: donation.id.replace('don_', 'ref_'),
      organization_id: donation.organization_id,
      donation_id: donation.id,
      amount_cents: donation.refunded_amount_cents,
      status: 'succeeded',
      processor_refund_id: donation.id.replace('don_', 're_demo_'),
      reason: 'requested_by_customer',
      created_at: refundedAt(donation, now),
    }));
  const disputes = donations
    .filter(({ dispute_status }) => dispute_status !== 'none')
    .map((donation): Insertable<Database['donation_dispute']> => ({
      id: donation.id.replace('don_', 'dis_'),
      organization_id: donation.organization_id,
      donation_id: donation.id,
      processor_dispute_id: donation.id.replace('don_', 'dp_demo_'),
      amount_cents: donation.amount_cents,
      status: donation.dispute_status,
      reason: 'unrecognized',
      evidence_due_at: daysAfter(disputedAt(donation, now), 10),
      created_at: disputedAt(donation, now),
    }));
  return { refunds, disputes };
}
