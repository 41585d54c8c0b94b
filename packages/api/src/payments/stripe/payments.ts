import type Stripe from 'stripe';
import {
  mapDisputes,
  mapRefunds,
  mapSettlement,
  type DisputeSnapshot,
  type RefundSnapshot,
  type Settlement,
} from './map-refunds-disputes.ts';
import { callStripe, listAll, type Client } from './client.ts';
import { processorUnavailable } from './errors.ts';

/** A succeeded payment as fetched from Stripe, with its refunds and disputes. */
export interface PaymentSnapshot {
  paymentIntentId: string;
  livemode: boolean;
  amountCents: number;
  currency: string;
  /**
   * Stripe's fees, including those of refunds and disputes. Null if a fee is not known yet or is in
   * another currency.
   */
  feeCents: number | null;
  /** The part of `feeCents` that disputes cost; 0 while `feeCents` is null. */
  disputeFeeCents: number;
  /** The money in the currency of the account's balance; null if that is the currency of the payment. */
  converted: Settlement | null;
  /** The amount that disputes withdrew and did not return, in minor units. */
  disputedCents: number;
  refunds: RefundSnapshot[];
  disputes: DisputeSnapshot[];
  /** Stripe's type of the payment method, such as `card`. */
  paymentMethod: string | null;
  /** Null for payments without a card. */
  cardBrand: string | null;
  /** Time at which the charge was made. The event that reports the charge arrives later. */
  paidAt: Date;
  /** Whether an earlier try to charge it had failed. Only known of later payments of recurring donations. */
  isRecovered?: boolean;
  metadata: Record<string, string>;
}

/**
 * Determines whether refunds and disputes are fetched with a payment. `fresh` is for a payment that
 * has just succeeded, and fetches them only if the charge reports any. `everything` always fetches
 * refunds and disputes.
 */
type FetchDepth = 'fresh' | 'everything';

/** Part of the processor client: payments that succeeded. */
export const payments = (client: Client) => ({
  findSucceededPayment: (paymentIntentId: string, account: string, depth: FetchDepth) =>
    findSucceededPayment(client, paymentIntentId, account, depth),

  /**
   * Fetches a payment that an event reports as succeeded, like `findSucceededPayment`.
   *
   * @throws {ConnectError} `unavailable` if Stripe's API does not report the payment as succeeded
   *   yet, so that Stripe delivers the event again
   */
  async retrieveSucceededPayment(
    paymentIntentId: string,
    account: string,
    depth: FetchDepth = 'fresh',
  ) {
    const payment = await findSucceededPayment(client, paymentIntentId, account, depth);
    if (payment) return payment;
    throw processorUnavailable(`Stripe does not report ${paymentIntentId} as paid.`);
  },
});

/**
 * Fetches a payment with its fee, refunds and disputes.
 *
 * @returns undefined if the payment has not succeeded
 * @throws {ConnectError} `unavailable` if Stripe fails
 */
async function findSucceededPayment(
  client: Client,
  paymentIntentId: string,
  account: string,
  depth: FetchDepth,
): Promise<PaymentSnapshot | undefined> {
  const intent = await retrieveIntent(client, paymentIntentId, account);
  const charge = chargeOf(intent);
  if (intent.status !== 'succeeded') return undefined;
  const fetchesEverything = depth === 'everything';
  const [refunds, disputes] = await Promise.all([
    fetchesEverything || charge?.amount_refunded ? listRefunds(client, intent.id, account) : [],
    fetchesEverything || charge?.disputed ? listDisputes(client, intent.id, account) : [],
  ]);
  return mapPayment(intent, refunds, disputes);
}

const retrieveIntent = ({ stripe }: Client, id: string, stripeAccount: string) =>
  callStripe(() =>
    stripe.paymentIntents.retrieve(
      id,
      { expand: ['latest_charge.balance_transaction'] },
      { stripeAccount },
    ),
  );

function listRefunds({ stripe }: Client, payment_intent: string, stripeAccount: string) {
  const expand = ['data.balance_transaction', 'data.failure_balance_transaction'];
  return listAll((pageParams) =>
    stripe.refunds.list({ ...pageParams, payment_intent, expand }, { stripeAccount }),
  );
}

const listDisputes = ({ stripe }: Client, payment_intent: string, stripeAccount: string) =>
  listAll((pageParams) =>
    stripe.disputes.list({ ...pageParams, payment_intent }, { stripeAccount }),
  );

const chargeOf = ({ latest_charge: charge }: Stripe.PaymentIntent) =>
  typeof charge === 'object' ? charge : null;

function mapPayment(
  intent: Stripe.PaymentIntent,
  refunds: Stripe.Refund[],
  disputes: Stripe.Dispute[],
): PaymentSnapshot {
  const { currency } = intent;
  const charge = chargeOf(intent);
  const settlement = mapSettlement(charge?.balance_transaction ?? null, refunds, disputes);
  const isConverted = settlement !== null && settlement.currency !== currency;
  const refundsAndDisputes = {
    refunds: mapRefunds(refunds),
    disputes: mapDisputes(disputes, currency),
  };
  return {
    paymentIntentId: intent.id,
    livemode: intent.livemode,
    amountCents: intent.amount_received,
    currency,
    feeCents: isConverted ? null : (settlement?.feeCents ?? null),
    disputeFeeCents: isConverted ? 0 : (settlement?.disputeFeeCents ?? 0),
    converted: isConverted ? settlement : null,
    disputedCents: refundsAndDisputes.disputes.reduce(
      (sum, { withdrawnCents }) => sum + withdrawnCents,
      0,
    ),
    ...refundsAndDisputes,
    paymentMethod: charge?.payment_method_details?.type ?? null,
    cardBrand: charge?.payment_method_details?.card?.brand ?? null,
    paidAt: new Date((charge ?? intent).created * 1000),
    metadata: intent.metadata,
  };
}
