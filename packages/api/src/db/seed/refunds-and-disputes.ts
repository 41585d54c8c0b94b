import type { Insertable, Selectable } from 'kysely';
import type { Database } from '../schema.ts';

const DAY_MS = 86_400_000;

type Donation = Selectable<Database['donation']>;

/** Invents the refunds and disputes of donations that have one: each some days after the donation. */
export function inventRefundsAndDisputes(donations: readonly Donation[], now: Date) {
  const after = ({ created_at }: Donation, days: number) =>
    new Date(Math.min(created_at.getTime() + days * DAY_MS, now.getTime()));
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
      created_at: after(donation, 3),
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
      evidence_due_at: new Date(donation.created_at.getTime() + 18 * DAY_MS),
      created_at: after(donation, 8),
    }));
  return { refunds, disputes };
}
