import type { Insertable } from 'kysely';
import type { Database } from '../schema.ts';
import { createRandom } from './random.ts';
import type { SeedDonation } from './donations.ts';

const DAY_MS = 86_400_000;
const PERIOD_DAYS = 14;
/** Days from the creation of a payout to its arrival at the bank. */
const TRANSIT_DAYS = 2;

/** Statuses of the newest payouts; all older ones are paid. */
const NEWEST_STATUSES = ['pending', 'in_transit', 'paid', 'paid', 'failed', 'paid', 'canceled'];

/** Invents payouts, each with the donations of two weeks, and sets `payout_id` of these donations. */
export function inventPayouts(
  organizationId: string,
  donations: readonly SeedDonation[],
  now: Date,
  count: number,
): Insertable<Database['payout']>[] {
  const random = createRandom(count);
  return Array.from({ length: count }, (_, index) => {
    const start = midnight(now.getTime() - index * PERIOD_DAYS * DAY_MS - (index ? 0 : DAY_MS));
    const id = random.id('po');
    const payoutDonations = donationsBefore(donations, start);
    for (const donation of payoutDonations) donation.payout_id = id;
    const net = payoutDonations.reduce(
      (sum, { amount_cents, fee_cents }) => sum + amount_cents - fee_cents,
      0,
    );
    return {
      id,
      organization_id: organizationId,
      amount_cents: Math.max(net, 5000),
      currency: 'usd',
      status: NEWEST_STATUSES[index] ?? 'paid',
      arrival_date: new Date(start + TRANSIT_DAYS * DAY_MS),
      description: 'Donations, 2 weeks',
      statement_descriptor: 'CONNECT GIFTS',
      created_at: new Date(start + 6 * 3_600_000),
    };
  });
}

const midnight = (ms: number) => Math.floor(ms / DAY_MS) * DAY_MS;

const donationsBefore = (donations: readonly SeedDonation[], end: number) =>
  donations.filter(({ created_at, payout_id }) => {
    const age = end - created_at.getTime();
    return !payout_id && age >= 0 && age < PERIOD_DAYS * DAY_MS;
  });
