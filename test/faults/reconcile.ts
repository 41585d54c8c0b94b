import { setTimeout as sleep } from 'node:timers/promises';
import type { Donation } from '@connect-embed/contract';
import type Stripe from 'stripe';
import type { AttemptedDonation } from './support/donor.ts';
import { ACCOUNT } from './support/data-template.ts';
import type { TestWorld } from './world.ts';

/** Result of comparing our donations with the processor's payments. The lists describe errors. */
export interface Verdict {
  gifts: number;
  oursCents: number;
  theirsCents: number;
  /** Donors who were charged more than once for one donation. */
  charged_twice: string[];
  /** Paid at the processor, but no donation here. */
  lost: string[];
  /** Donations here without a paid intent at the processor, or two for one payment. */
  invented: string[];
  /** Donations whose amount, refunds, disputes or net amount differ from the processor's. */
  wrong: string[];
  /** Webhook events that were not delivered. */
  untold: string[];
  /** Donors whose form shows a wrong result; `truly_told` counts the correct ones. */
  misled: string[];
  truly_told: number;
}

/** How long reconciliation may take; a lost event is backfilled within a minute. */
const TIMEOUT_MS = 120_000;

/**
 * Compares until both sides are equal or the timeout is over.
 *
 * @returns the last comparison, and the seconds that it took
 */
export async function waitUntilReconciled(world: TestWorld, gifts: readonly AttemptedDonation[]) {
  const started = performance.now();
  for (;;) {
    const verdict = await compareRecords(world, gifts);
    const waited = performance.now() - started;
    if (isReconciled(verdict) || waited > TIMEOUT_MS) return { verdict, seconds: waited / 1000 };
    await sleep(Math.min(5000, 250 + waited / 4));
  }
}

export const isReconciled = (verdict: Verdict): boolean =>
  verdict.oursCents === verdict.theirsCents &&
  [verdict.charged_twice, verdict.lost, verdict.invented, verdict.wrong, verdict.untold].every(
    ({ length }) => length === 0,
  );

export async function compareRecords(
  world: TestWorld,
  gifts: readonly AttemptedDonation[],
): Promise<Verdict> {
  const paid = groupBy(await paidIntents(world), ({ metadata }) => metadata['donor_email']!);
  const donations: Donation[] = [];
  for await (const donation of world.auditor.all('donations', { limit: 100 })) {
    donations.push(donation);
  }
  const ours = groupBy(donations, ({ donor_email }) => donor_email!);
  const emails = [...new Set([...paid.keys(), ...ours.keys()])];
  const both = emails.map((email) => ({
    email,
    theirs: paid.get(email) ?? [],
    ours: ours.get(email) ?? [],
  }));
  const misled = gifts.filter(
    (gift) => !isCorrectlyInformed(gift, paid.get(gift.email)?.length ?? 0),
  );
  return {
    gifts: paid.size,
    oursCents: sum(donations, ({ amount_cents }) => amount_cents),
    theirsCents: sum([...paid.values()].flat(), ({ amount_received }) => amount_received),
    charged_twice: both.filter(({ theirs }) => theirs.length > 1).map(({ email }) => email),
    lost: both.filter(({ theirs, ours }) => theirs.length > ours.length).map(({ email }) => email),
    invented: both
      .filter((entry) => entry.ours.length > entry.theirs.length)
      .map(({ email }) => email),
    wrong: both.flatMap(({ theirs, ours }) => differences(theirs[0], ours[0])),
    untold: donations.flatMap((donation) => missingWebhooksOf(world, donation)),
    misled: misled.map(({ email, told }) => `${email} was told: ${told}`),
    truly_told: gifts.length - misled.length,
  };
}

const isCorrectlyInformed = ({ told }: AttemptedDonation, paid: number) =>
  paid > 0 ? told === 'paid' : told === 'declined' || told === 'nothing charged';

function differences(intent: Stripe.PaymentIntent | undefined, row: Donation | undefined) {
  if (!intent || !row) return [];
  const charge = intent.latest_charge as Stripe.Charge;
  const settled = charge.balance_transaction as Stripe.BalanceTransaction | null;
  const refunded = charge.amount_refunded;
  const plain = refunded === 0 && !charge.disputed;
  const expected = {
    amount_cents: intent.amount_received,
    currency: intent.currency,
    refunded_amount_cents: refunded,
    refund_status: refunded === 0 ? 'none' : refunded < intent.amount ? 'partial' : 'full',
    ...(plain && settled && { net_amount_cents: settled.net }),
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
  { webhookCounter }: TestWorld,
  { id, refund_status, dispute_status }: Donation,
) {
  const due = {
    'donation.created': true,
    'donation.refunded': refund_status !== 'none',
    'donation.disputed': dispute_status !== 'none',
  };
  return Object.entries(due)
    .filter(([type, expected]) => expected && webhookCounter.count(type, id) === 0)
    .map(([type]) => `${type} of ${id}`);
}

const paidIntents = async ({ processor }: TestWorld) => {
  const params = { limit: 100, expand: ['data.latest_charge.balance_transaction'] };
  const all = await processor.paymentIntents
    .list(params, { stripeAccount: ACCOUNT })
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
