import { ConnectError } from '@connect-embed/contract';
import Stripe from 'stripe';
import { countsAsRefunded, mapRefunds, type RefundSnapshot } from './map-refunds-disputes.ts';
import type { Client } from './client.ts';
import { retryWithNewKey } from './retry-with-new-key.ts';

/** Why money goes back, in the words that the processor knows. */
export const REFUND_REASONS = ['requested_by_customer', 'duplicate', 'fraudulent'] as const;
export type RefundReason = (typeof REFUND_REASONS)[number];

export interface RefundParams {
  account: string;
  paymentIntentId: string;
  amountCents: number;
  reason: RefundReason;
  metadata: Record<string, string>;
  /** The same for every attempt at the same refund, in whatever process: it is made once. */
  idempotencyKey: string;
}

/** Giving money back. */
export const refunds = ({ stripe, call, listAll }: Client) => {
  const create = ({ account, ...params }: RefundParams, idempotencyKey: string) =>
    call(() =>
      stripe.refunds
        .create(
          {
            payment_intent: params.paymentIntentId,
            amount: params.amountCents,
            reason: params.reason,
            metadata: { ...params.metadata, wish: params.idempotencyKey },
          },
          { stripeAccount: account, idempotencyKey },
        )
        .catch(throwRefusal),
    );

  /** One that was made although the processor told of a failure. */
  const findExisting = async ({ account, paymentIntentId, idempotencyKey: wish }: RefundParams) => {
    const all = await listAll((after) =>
      stripe.refunds.list(
        { ...after, payment_intent: paymentIntentId },
        { stripeAccount: account },
      ),
    );
    return all.find(
      (one) => one.metadata?.['wish'] === wish && mapRefunds([one]).some(countsAsRefunded),
    );
  };

  /**
   * Returns a part of a gift, or all of it.
   *
   * @throws {ConnectError} `conflict` when the processor refuses (nothing is left, it is disputed,
   * the balance is too low), `unavailable` when it fails
   */
  async function createRefund(params: RefundParams): Promise<RefundSnapshot> {
    // Unlike an intent, a refund moves money at once: before another key is used, it is looked for.
    const refund = await retryWithNewKey(
      params.idempotencyKey,
      async (key, isFirst) => {
        const existing = isFirst ? undefined : await findExisting(params);
        return existing ?? (await create(params, key));
      },
      // A refusal is kept for a day as well, and its reason may be gone: the balance has grown.
      (status) => status >= 400,
    );
    return mapRefunds([refund])[0]!;
  }

  return { createRefund };
};

const REFUSALS: Readonly<Record<string, string>> = {
  charge_already_refunded: 'all of it has been returned already.',
  charge_disputed: 'the donor’s bank disputes it; the money is returned through the dispute.',
  charge_not_refundable: 'the card processor does not return it any more.',
  balance_insufficient: 'the account’s balance is too low.',
  refund_disputed_payment:
    'the donor’s bank disputes it; the money is returned through the dispute.',
};

/** What a caller cannot mend by trying again is said; the rest stays what it is. */
function throwRefusal(cause: unknown): never {
  if (cause instanceof Stripe.errors.StripeInvalidRequestError) {
    const why = REFUSALS[cause.code ?? ''] ?? 'the card processor refuses it.';
    throw new ConnectError('conflict', `The gift cannot be returned: ${why}`, { cause });
  }
  throw cause;
}
