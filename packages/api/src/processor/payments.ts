import { ConnectError } from '@connect-embed/contract';
import type Stripe from 'stripe';
import {
  mapDisputes,
  mapRefunds,
  sumFees,
  type DisputeSnapshot,
  type RefundSnapshot,
} from './map-refunds-disputes.ts';
import type { Client } from './client.ts';

/** What the processor says of a gift that has been paid, and of what became of it since. */
export interface PaymentSnapshot {
  paymentIntentId: string;
  amountCents: number;
  currency: string;
  /** With those of refunds and disputes. Null until it is settled, or in another currency. */
  feeCents: number | null;
  /** What disputes took away and did not give back. */
  disputedCents: number;
  refunds: RefundSnapshot[];
  disputes: DisputeSnapshot[];
  /** Stripe's type of the payment method, such as `card`. */
  paymentMethod: string | null;
  /** Null where no card was used. */
  cardBrand: string | null;
  /** When the money was taken; not when we heard of it. */
  paidAt: Date;
  metadata: Record<string, string>;
}

/** How far to look: a gift of this minute needs one question, an old one three. */
export type FetchDepth = 'fresh' | 'everything';

/** Gifts that were paid: asking what became of them. */
export const payments = ({ stripe, call, listAll }: Client) => {
  const retrieveIntent = (id: string, stripeAccount: string) =>
    call(() =>
      stripe.paymentIntents.retrieve(
        id,
        { expand: ['latest_charge.balance_transaction'] },
        { stripeAccount },
      ),
    );

  const listRefunds = (payment_intent: string, stripeAccount: string) => {
    const expand = ['data.balance_transaction', 'data.failure_balance_transaction'];
    return listAll((refundsAndDisputes) =>
      stripe.refunds.list({ ...refundsAndDisputes, payment_intent, expand }, { stripeAccount }),
    );
  };

  const listDisputes = (payment_intent: string, stripeAccount: string) =>
    listAll((after) => stripe.disputes.list({ ...after, payment_intent }, { stripeAccount }));

  /**
   * Asks for a gift, with its fee, its refunds and its disputes.
   *
   * @returns undefined when the processor does not call it paid
   * @throws {ConnectError} `unavailable` when the processor fails
   */
  async function findSucceededPayment(
    paymentIntentId: string,
    account: string,
    depth: FetchDepth,
  ): Promise<PaymentSnapshot | undefined> {
    const intent = await retrieveIntent(paymentIntentId, account);
    const charge = chargeOf(intent);
    if (intent.status !== 'succeeded') return undefined;
    const all = depth === 'everything';
    const [refunds, disputes] = await Promise.all([
      all || charge?.amount_refunded ? listRefunds(intent.id, account) : [],
      all || charge?.disputed ? listDisputes(intent.id, account) : [],
    ]);
    return mapPayment(intent, refunds, disputes);
  }

  return {
    findSucceededPayment,

    /** The same for a gift that somebody calls paid: `unavailable`, so that they say it again. */
    async retrieveSucceededPayment(
      paymentIntentId: string,
      account: string,
      depth: FetchDepth = 'fresh',
    ) {
      const payment = await findSucceededPayment(paymentIntentId, account, depth);
      if (payment) return payment;
      throw new ConnectError('unavailable', `The processor does not call ${paymentIntentId} paid.`);
    },
  };
};

const chargeOf = ({ latest_charge: charge }: Stripe.PaymentIntent) =>
  typeof charge === 'object' ? charge : null;

function mapPayment(
  intent: Stripe.PaymentIntent,
  refunds: Stripe.Refund[],
  disputes: Stripe.Dispute[],
): PaymentSnapshot {
  const { currency } = intent;
  const charge = chargeOf(intent);
  const paymentTransaction = charge?.balance_transaction ?? null;
  const after = { refunds: mapRefunds(refunds), disputes: mapDisputes(disputes, currency) };
  return {
    paymentIntentId: intent.id,
    amountCents: intent.amount_received,
    currency,
    feeCents: sumFees(currency, paymentTransaction, refunds, disputes),
    disputedCents: after.disputes.reduce((sum, { withdrawnCents }) => sum + withdrawnCents, 0),
    ...after,
    paymentMethod: charge?.payment_method_details?.type ?? null,
    cardBrand: charge?.payment_method_details?.card?.brand ?? null,
    paidAt: new Date((charge ?? intent).created * 1000),
    metadata: intent.metadata,
  };
}
