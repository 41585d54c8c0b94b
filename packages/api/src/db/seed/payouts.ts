import type { Insertable } from 'kysely';
import type { Database } from '../schema.ts';
import { createRandom } from './random.ts';
import type { SeedDonation } from './donations.ts';

const DAY_MS = 86_400_000;
const PERIOD_DAYS = 14;
/** Days from the creation of a payout to its arrival at the bank. */
const TRANSIT_DAYS = 2;

/** Statuses of the newest payouts; all older ones are paid. */
const NEWEST_STATUSES = [
  'pending',
  'in_transit',
  'paid',
  'paid',
  'failed',
  'paid',
  'canceled',
] as const;

/** A smaller payout also pays the rest of an earlier balance. */
const MIN_PAYOUT_CENTS = 5000;

const NO_SOURCE = {
  donation_id: null,
  processor_payment_intent_id: null,
  processor_transaction_id: null,
};

type Entry = Insertable<Database['payout_transaction']>;

/**
 * Invents payouts, each with the donations of two weeks, their refunds and their disputes, and sets `payout_id` of
 * these donations. The next payout pays the money of one that failed or was canceled.
 */
export function inventPayouts(
  organizationId: string,
  donations: readonly SeedDonation[],
  now: Date,
  count: number,
) {
  const random = createRandom(count);
  const payouts: Insertable<Database['payout']>[] = [];
  const entries: Entry[] = [];
  let unpaid: SeedDonation[] = [];
  for (let index = count - 1; index >= 0; index -= 1) {
    const start = midnight(now.getTime() - index * PERIOD_DAYS * DAY_MS - (index ? 0 : DAY_MS));
    const id = random.id('po');
    const status = NEWEST_STATUSES[index] ?? 'paid';
    const paidOut = [...unpaid, ...donationsBefore(donations, start)];
    for (const donation of paidOut) donation.payout_id = id;
    unpaid = status === 'failed' || status === 'canceled' ? paidOut : [];
    const created_at = new Date(start + 6 * 3_600_000);
    const ofPayout = {
      organization_id: organizationId,
      payout_id: id,
      currency: 'usd',
      created_at,
    };
    const parts = paidOut.flatMap(partsOf).map((part) => ({ ...ofPayout, ...part }));
    const net = parts.reduce((sum, part) => sum + part.amount_cents - part.fee_cents, 0);
    const amount_cents = Math.max(net, MIN_PAYOUT_CENTS);
    entries.push(...parts.map((part) => ({ ...part, id: random.id('pod') })));
    if (amount_cents > net) {
      const other = { type: 'other' as const, amount_cents: amount_cents - net, fee_cents: 0 };
      entries.push({ ...NO_SOURCE, ...ofPayout, ...other, id: random.id('pod') });
    }
    payouts.push({
      id,
      organization_id: organizationId,
      amount_cents,
      currency: 'usd',
      status,
      arrival_date: new Date(start + TRANSIT_DAYS * DAY_MS),
      description: 'Donations, 2 weeks',
      statement_descriptor: 'CONNECT GIFTS',
      created_at,
    });
  }
  return { payouts, entries };
}

/** Returns the entries of a donation, its refund and its dispute. */
function partsOf({ id, created_at, ...donation }: SeedDonation) {
  const { amount_cents, refunded_amount_cents = 0, disputed_amount_cents = 0 } = donation;
  const dispute_fee_cents = donation.dispute_fee_cents ?? 0;
  const part = { ...NO_SOURCE, donation_id: id };
  const fee_cents = donation.fee_cents - dispute_fee_cents;
  return [
    { ...part, type: 'donation' as const, amount_cents, fee_cents, created_at },
    ...(refunded_amount_cents
      ? [{ ...part, type: 'refund' as const, amount_cents: -refunded_amount_cents, fee_cents: 0 }]
      : []),
    ...(dispute_fee_cents
      ? [
          {
            ...part,
            type: 'dispute' as const,
            amount_cents: -disputed_amount_cents,
            fee_cents: dispute_fee_cents,
          },
        ]
      : []),
  ];
}

const midnight = (ms: number) => Math.floor(ms / DAY_MS) * DAY_MS;

const donationsBefore = (donations: readonly SeedDonation[], end: number) =>
  donations.filter(({ created_at, payout_id }) => {
    const age = end - created_at.getTime();
    return !payout_id && age >= 0 && age < PERIOD_DAYS * DAY_MS;
  });
