import type { Insertable } from 'kysely';
import type { Database } from '../schema.ts';
import { createRandom } from './random.ts';
import type { SeedDonation } from './donations.ts';
import { disputedAt, refundedAt } from './refunds-and-disputes.ts';

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

/** A smaller payout also pays a reserve that Stripe had held. */
const MIN_PAYOUT_CENTS = 5000;

/** What Stripe takes for its products once a month: in every other payout. */
const MONTHLY_FEE_CENTS = 700;

type Transaction = Insertable<Database['balance_transaction']>;
type Part = Omit<Transaction, 'id' | 'organization_id' | 'payout_id' | 'currency'>;

/**
 * Invents payouts, each with the donations, refunds and disputes of two weeks, and sets `payout_id` of
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
  const transactions: Transaction[] = [];
  const parts = donations.flatMap((donation) => partsOf(donation, now));
  let unpaid: SeedDonation[] = [];
  let partsPaidAgain: Part[] = [];
  let end = midnight(now.getTime() - count * PERIOD_DAYS * DAY_MS);
  for (let index = count - 1; index >= 0; index -= 1) {
    const start = end;
    end = midnight(now.getTime() - index * PERIOD_DAYS * DAY_MS - (index ? 0 : DAY_MS));
    const isNew = ({ created_at }: { created_at: Date }) => isBetween(created_at, start, end);
    const id = random.id('po');
    const status = NEWEST_STATUSES[index] ?? 'paid';
    const paidOut = [...unpaid, ...donations.filter(isNew)];
    for (const donation of paidOut) donation.payout_id = id;
    const created_at = new Date(end + 6 * 3_600_000);
    const paidParts: Part[] = [...partsPaidAgain, ...parts.filter(isNew)];
    if (index % 2) paidParts.push(partOf('fee', -MONTHLY_FEE_CENTS));
    const net = paidParts.reduce((sum, part) => sum + part.amount_cents - part.fee_cents, 0);
    const amount_cents = Math.max(net, MIN_PAYOUT_CENTS);
    if (amount_cents > net) paidParts.push(partOf('risk_reserved_funds', amount_cents - net));
    transactions.push(
      ...paidParts.map((part) => ({
        created_at,
        ...part,
        id: random.id('btx'),
        organization_id: organizationId,
        payout_id: id,
        currency: 'usd',
      })),
    );
    const isReturned = status === 'failed' || status === 'canceled';
    unpaid = isReturned ? paidOut : [];
    partsPaidAgain = isReturned
      ? [...paidParts, partOf('payout', -amount_cents), partOf('payout_reversal', amount_cents)]
      : [];
    payouts.push({
      id,
      organization_id: organizationId,
      amount_cents,
      currency: 'usd',
      status,
      arrival_date: new Date(end + TRANSIT_DAYS * DAY_MS),
      description: 'Donations, 2 weeks',
      statement_descriptor: 'CONNECT GIFTS',
      missing_cents: 0,
      created_at,
    });
  }
  const inBalance = parts.filter(({ created_at }) => created_at.getTime() >= end);
  transactions.push(
    ...inBalance.map((part) => ({
      ...part,
      id: random.id('btx'),
      organization_id: organizationId,
      currency: 'usd',
    })),
  );
  return { payouts, transactions };
}

const partOf = (reporting_category: string, amount_cents: number): Part => ({
  reporting_category,
  amount_cents,
  fee_cents: 0,
});

/** Returns the transactions of a donation, its refund and its dispute, each with its time. */
function partsOf(donation: SeedDonation, now: Date): (Part & { created_at: Date })[] {
  const {
    id,
    created_at,
    amount_cents,
    refunded_amount_cents = 0,
    disputed_amount_cents = 0,
  } = donation;
  const dispute_fee_cents = donation.dispute_fee_cents ?? 0;
  const fee_cents = donation.fee_cents - dispute_fee_cents;
  return [
    {
      donation_id: id,
      reporting_category: 'charge',
      amount_cents,
      fee_cents,
      created_at,
      fee_details: JSON.stringify([
        {
          amount_cents: fee_cents,
          currency: 'usd',
          type: 'stripe_fee',
          description: 'Stripe processing fees',
        },
      ]),
    },
    ...(refunded_amount_cents
      ? [
          {
            ...partOf('refund', -refunded_amount_cents),
            donation_id: id,
            created_at: refundedAt(donation, now),
          },
        ]
      : []),
    ...(dispute_fee_cents
      ? [
          {
            ...partOf('dispute', -disputed_amount_cents),
            donation_id: id,
            fee_cents: dispute_fee_cents,
            created_at: disputedAt(donation, now),
          },
        ]
      : []),
  ];
}

const midnight = (ms: number) => Math.floor(ms / DAY_MS) * DAY_MS;

const isBetween = (at: Date, start: number, end: number) =>
  at.getTime() >= start && at.getTime() < end;
