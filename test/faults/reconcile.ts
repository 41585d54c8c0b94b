import { setTimeout as sleep } from 'node:timers/promises';
import type { Donation } from '@connect-embed/contract';
import type Stripe from 'stripe';
import type { AttemptedDonation } from './support/donor.ts';
import { ACCOUNT } from './support/initial-data.ts';
import type { StoredPayments, SystemUnderTest } from './system-under-test.ts';

/** Result of comparing our donations with the processor's payments. The lists describe errors. */
export interface Comparison {
  donations: number;
  recordedCents: number;
  chargedCents: number;
  /** Bank debits about which the bank has decided, and those of them that it returned. */
  debits: number;
  returnedDebits: number;
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
  /** Payments that are stored as on their way although the processor has decided, or the reverse. */
  wronglyOnTheirWay: string[];
  /** Payments about which an email was not queued, or twice, or of the wrong kind. */
  wrongEmails: string[];
  /** Donors whose form or email shows a wrong result; `correctlyInformed` counts the correct ones. */
  misinformedDonors: string[];
  correctlyInformed: number;
}

/** What a comparison reads. */
type ComparedSystem = Pick<SystemUnderTest, 'auditor' | 'processor' | 'webhookCounter'> & {
  /** The organization's Stripe account; by default that of the only organization. */
  account?: string;
  /** Reads what is stored about debits and emails; they are not compared if it is absent. */
  readPayments?: () => Promise<StoredPayments>;
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
    comparison.wronglyOnTheirWay,
    comparison.wrongEmails,
  ].every(({ length }) => length === 0);

async function compareRecords(
  system: ComparedSystem,
  attempts: readonly AttemptedDonation[],
): Promise<Comparison> {
  const intents = await listIntents(system);
  const byStatus = groupBy(intents, ({ status }) => status);
  const paid = groupBy(byStatus.get('succeeded') ?? [], donorOf);
  const returned = new Set(intents.filter(isReturned).map(donorOf));
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
    (attempt) =>
      !isCorrectlyInformed(attempt, {
        isPaid: paid.has(attempt.email),
        isReturned: returned.has(attempt.email),
      }),
  );
  const processing = new Set((byStatus.get('processing') ?? []).map(({ id }) => id));
  const stored = await system.readPayments?.();
  const onTheirWay = new Set(stored ? stored.onTheirWay : processing);
  return {
    donations: paid.size,
    recordedCents: sum(donations, ({ amount_cents }) => amount_cents),
    chargedCents: sum([...paid.values()].flat(), ({ amount_received }) => amount_received),
    debits: [...paid.values()].flat().filter(isDebit).length + returned.size,
    returnedDebits: returned.size,
    chargedTwice: pairs.filter(({ charged }) => charged.length > 1).map(({ email }) => email),
    lost: pairs
      .filter(({ charged, recorded }) => charged.length > recorded.length)
      .map(({ email }) => email),
    withoutPayment: pairs
      .filter((entry) => entry.recorded.length > entry.charged.length)
      .map(({ email }) => email),
    mismatches: pairs.flatMap(({ charged, recorded }) => differences(charged[0], recorded[0])),
    undeliveredWebhooks: donations.flatMap((donation) => missingWebhooksOf(system, donation)),
    wronglyOnTheirWay: [
      ...[...processing].filter((id) => !onTheirWay.has(id)),
      ...[...onTheirWay].filter((id) => !processing.has(id)),
    ],
    wrongEmails: stored ? findWrongEmails(intents, stored.emails) : [],
    misinformedDonors: misinformedDonors.map(({ email, outcome }) => `${email} saw: ${outcome}`),
    correctlyInformed: attempts.length - misinformedDonors.length,
  };
}

/**
 * Whether the form has shown the truth: that of a card at once, and of a bank debit that it is on its way. What the bank
 * decided then is in an email, which `findWrongEmails` checks.
 */
function isCorrectlyInformed(
  { outcome }: AttemptedDonation,
  { isPaid, isReturned }: { isPaid: boolean; isReturned: boolean },
): boolean {
  if (outcome === 'on its way') return isPaid || isReturned;
  return isPaid ? outcome === 'paid' : outcome === 'declined' || outcome === 'nothing charged';
}

const donorOf = ({ metadata }: Stripe.PaymentIntent) => metadata['donor_email']!;

/** Whether the bank has returned the debit of a payment. */
const isReturned = ({ status, last_payment_error: error }: Stripe.PaymentIntent) =>
  status !== 'succeeded' && error?.payment_method?.type === 'sepa_debit';

/**
 * Names the payments whose emails are wrong. A paid one has one receipt, and a returned debit one email about it. The
 * email that a debit is on its way is not queued if the bank had decided before its event arrived.
 */
function findWrongEmails(
  intents: readonly Stripe.PaymentIntent[],
  emails: StoredPayments['emails'],
) {
  const byIntent = groupBy(emails, ({ intentId }) => intentId);
  return intents.flatMap((intent) => {
    const kinds = (byIntent.get(intent.id) ?? []).map(({ kind }) => kind);
    const count = (kind: string) => kinds.filter((other) => other === kind).length;
    const isRight =
      count('receipt') === (intent.status === 'succeeded' ? 1 : 0) &&
      count('donation_returned') === (isReturned(intent) ? 1 : 0) &&
      count('donation_processing') <= (isDebit(intent) ? 1 : 0);
    return isRight ? [] : [`${intent.id} (${intent.status}): ${kinds.join(', ') || 'none'}`];
  });
}

const isDebit = ({ latest_charge: charge }: Stripe.PaymentIntent) =>
  (charge as Stripe.Charge | null)?.payment_method_details?.type === 'sepa_debit';

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
    ...(isUnchanged && balanceTransaction && netOf(intent, balanceTransaction)),
    ...(!charge.disputed && { dispute_status: 'none' }),
  };
  return Object.entries(expected)
    .filter(([field, value]) => row[field as keyof Donation] !== value)
    .map(([field, value]) => {
      return `${row.id} ${field} is ${row[field as keyof Donation]}, not ${value}`;
    });
}

/** The net amount of a donation, which may be in another currency on the balance of the account. */
const netOf = ({ currency }: Stripe.PaymentIntent, balance: Stripe.BalanceTransaction) =>
  balance.currency === currency
    ? { net_amount_cents: balance.net }
    : { settlement_currency: balance.currency, settlement_net_cents: balance.net };

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

const listIntents = ({ processor, account = ACCOUNT }: ComparedSystem) =>
  processor.paymentIntents
    .list(
      { limit: 100, expand: ['data.latest_charge.balance_transaction'] },
      { stripeAccount: account },
    )
    .autoPagingToArray({ limit: 10_000 });

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string) {
  const groups = new Map<string, Item[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

const sum = <Item>(items: readonly Item[], of: (item: Item) => number) =>
  items.reduce((total, item) => total + of(item), 0);
