import { setTimeout as sleep } from 'node:timers/promises';
import type { Donation } from '@connect-embed/contract';
import type Stripe from 'stripe';
import type { AttemptedDonation } from './support/donor.ts';
import { ACCOUNT } from './support/initial-data.ts';
import type { SystemUnderTest } from './system-under-test.ts';

/** Result of comparing our donations with the processor's payments. The lists describe errors. */
export interface Comparison {
  donations: number;
  recordedCents: number;
  chargedCents: number;
  /** Donors who were charged more than once for one donation. */
  chargedTwice: string[];
  /** Payments at the processor without a donation in our system. */
  lost: string[];
  /**
   * Donations in our system without a paid intent at the processor, or two donations for one
   * payment.
   */
  withoutPayment: string[];
  /** Donations whose amount, refunds, disputes or net amount differ from the processor's. */
  mismatches: string[];
  /** Webhook events that were not delivered. */
  undeliveredWebhooks: string[];
  /** Donors whose form shows a wrong result; `correctlyInformed` counts the correct ones. */
  misinformedDonors: string[];
  correctlyInformed: number;
}

/** What a comparison reads. */
type ComparedSystem = Pick<SystemUnderTest, 'auditor' | 'processor' | 'webhookCounter'> & {
  /** The organization's Stripe account; by default that of the only organization. */
  account?: string;
};

/** How long reconciliation may take; a lost event is backfilled within a minute. */
const TIMEOUT_MS = 120_000;

/**
 * Compares until both sides are equal or the timeout is over.
 *
 * @returns the last comparison, and the seconds that it took
 */
export async function waitUntilReconciled(
  system: ComparedSystem,
  attempts: readonly AttemptedDonation[],
) {
  const started = performance.now();
  for (;;) {
    const comparison = await compareRecords(system, attempts);
    const waited = performance.now() - started;
    if (isReconciled(comparison) || waited > TIMEOUT_MS)
      return { comparison, seconds: waited / 1000 };
    await sleep(Math.min(5000, 250 + waited / 4));
  }
}

const isReconciled = (comparison: Comparison): boolean =>
  comparison.recordedCents === comparison.chargedCents &&
  [
    comparison.chargedTwice,
    comparison.lost,
    comparison.withoutPayment,
    comparison.mismatches,
    comparison.undeliveredWebhooks,
  ].every(({ length }) => length === 0);

async function compareRecords(
  system: ComparedSystem,
  attempts: readonly AttemptedDonation[],
): Promise<Comparison> {
  const paid = groupBy(await paidIntents(system), ({ metadata }) => metadata['donor_email']!);
  const donations: Donation[] = [];
  for await (const donation of system.auditor.all('donations', { limit: 100 })) {
    donations.push(donation);
  }
  const recorded = groupBy(donations, ({ donor_email }) => donor_email!);
  const emails = [...new Set([...paid.keys(), ...recorded.keys()])];
  const pairs = emails.map((email) => ({
    email,
    charged: paid.get(email) ?? [],
    recorded: recorded.get(email) ?? [],
  }));
  const misinformedDonors = attempts.filter(
    (attempt) => !isCorrectlyInformed(attempt, paid.get(attempt.email)?.length ?? 0),
  );
  return {
    donations: paid.size,
    recordedCents: sum(donations, ({ amount_cents }) => amount_cents),
    chargedCents: sum([...paid.values()].flat(), ({ amount_received }) => amount_received),
    chargedTwice: pairs.filter(({ charged }) => charged.length > 1).map(({ email }) => email),
    lost: pairs
      .filter(({ charged, recorded }) => charged.length > recorded.length)
      .map(({ email }) => email),
    withoutPayment: pairs
      .filter((entry) => entry.recorded.length > entry.charged.length)
      .map(({ email }) => email),
    mismatches: pairs.flatMap(({ charged, recorded }) => differences(charged[0], recorded[0])),
    undeliveredWebhooks: donations.flatMap((donation) => missingWebhooksOf(system, donation)),
    misinformedDonors: misinformedDonors.map(({ email, outcome }) => `${email} saw: ${outcome}`),
    correctlyInformed: attempts.length - misinformedDonors.length,
  };
}

const isCorrectlyInformed = ({ outcome }: AttemptedDonation, paid: number) =>
  paid > 0 ? outcome === 'paid' : outcome === 'declined' || outcome === 'nothing charged';

function differences(intent: Stripe.PaymentIntent | undefined, row: Donation | undefined) {
  if (!intent || !row) return [];
  const charge = intent.latest_charge as Stripe.Charge;
  const balanceTransaction = charge.balance_transaction as Stripe.BalanceTransaction | null;
  const refunded = charge.amount_refunded;
  const isUnchanged = refunded === 0 && !charge.disputed;
  const expected = {
    amount_cents: intent.amount_received,
    currency: intent.currency,
    refunded_amount_cents: refunded,
    refund_status: refunded === 0 ? 'none' : refunded < intent.amount ? 'partial' : 'full',
    ...(isUnchanged && balanceTransaction && { net_amount_cents: balanceTransaction.net }),
    ...(!charge.disputed && { dispute_status: 'none' }),
  };
  return Object.entries(expected)
    .filter(([field, value]) => row[field as keyof Donation] !== value)
    .map(([field, value]) => {
      return `${row.id} ${field} is ${row[field as keyof Donation]}, not ${value}`;
    });
}

/**
 * Names missing webhook events: a donation needs at least one `donation.created`, and one event
 * each after a refund and a dispute.
 */
function missingWebhooksOf(
  { webhookCounter }: ComparedSystem,
  { id, refund_status, dispute_status }: Donation,
) {
  const expectedEvents = {
    'donation.created': true,
    'donation.refunded': refund_status !== 'none',
    'donation.disputed': dispute_status !== 'none',
  };
  return Object.entries(expectedEvents)
    .filter(([type, expected]) => expected && webhookCounter.count(type, id) === 0)
    .map(([type]) => `${type} of ${id}`);
}

const paidIntents = async ({ processor, account = ACCOUNT }: ComparedSystem) => {
  const params = { limit: 100, expand: ['data.latest_charge.balance_transaction'] };
  const all = await processor.paymentIntents
    .list(params, { stripeAccount: account })
    .autoPagingToArray({ limit: 10_000 });
  return all.filter(({ status }) => status === 'succeeded');
};

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string) {
  const groups = new Map<string, Item[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

const sum = <Item>(items: readonly Item[], of: (item: Item) => number) =>
  items.reduce((total, item) => total + of(item), 0);
