import type { Insertable } from 'kysely';
import { groupBy } from '../../lib/group-by.ts';
import type { Database } from '../schema.ts';
import type { SeedDonation } from './donations.ts';

const DAY_MS = 86_400_000;
const MONTH_MS = 30.44 * DAY_MS;

type SeedSubscription = Insertable<Database['recurring_plan']>;

/** Invents the recurring plans of recurring donations, and sets `plan_id` of these donations. */
export function inventSubscriptions(
  donations: readonly SeedDonation[],
  now: Date,
): SeedSubscription[] {
  const byDonor = groupBy(
    donations.filter(({ recurring }) => recurring),
    ({ contact_id }) => contact_id ?? '',
  );
  return [...byDonor].map(([donor, payments], index) => {
    const id = donor.replace('dnr_', 'plan_');
    for (const payment of payments) payment.plan_id = id;
    return inventSubscription(id, payments, index, now);
  });
}

function inventSubscription(
  id: string,
  payments: readonly SeedDonation[],
  index: number,
  now: Date,
): SeedSubscription {
  const [first] = payments as [SeedDonation, ...SeedDonation[]];
  const times = payments.map(({ created_at }) => created_at.getTime());
  const next = new Date(Math.max(...times) + MONTH_MS);
  const status = index % 9 === 4 ? 'paused' : index % 9 === 7 ? 'canceled' : 'active';
  const { organization_id, currency, source } = first;
  return {
    id,
    organization_id,
    currency,
    source,
    donor_name: first.donor_name ?? null,
    donor_email: first.donor_email ?? null,
    fund_id: first.fund_id ?? null,
    source_id: first.source_id ?? null,
    amount_cents: first.amount_cents,
    frequency: 'monthly',
    status,
    amounts: '500-1000000',
    fee_cover: '',
    // The subscription does not exist in the sandbox.
    processor_subscription_id: id.replace('plan_', 'sub_demo_'),
    processor_customer_id: id.replace('plan_', 'cus_demo_'),
    card_label: `visa ${String(1000 + ((index * 7919) % 9000))}`,
    next_payment_at: status === 'active' ? next : null,
    canceled_at:
      status === 'canceled' ? new Date(Math.max(...times, now.getTime() - DAY_MS)) : null,
    created_at: new Date(Math.min(...times)),
  };
}
