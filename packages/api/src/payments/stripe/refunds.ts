import { ConnectError } from '@connect-embed/contract';
import Stripe from 'stripe';
import {
  countsAsRefunded,
  mapRefunds,
  REQUEST_KEY_FIELD,
  type RefundSnapshot,
} from './map-refunds-disputes.ts';
import { callStripe, listAll, type Client } from './client.ts';
import { retryWithNewKey } from './retry-with-new-key.ts';

/** Refund reasons that Stripe accepts. */
export const REFUND_REASONS = ['requested_by_customer', 'duplicate', 'fraudulent'] as const;
export type RefundReason = (typeof REFUND_REASONS)[number];

interface RefundParams {
  account: string;
  paymentIntentId: string;
  amountCents: number;
  reason: RefundReason;
  metadata: Record<string, string>;
  /** Equal for every attempt at the same refund, so that Stripe creates the refund once. */
  idempotencyKey: string;
}

/** Part of the processor client: refunds. */
export const refunds = (client: Client) => ({
  /**
   * Refunds a payment in part or in full.
   *
   * @throws {ConnectError} `conflict` if Stripe rejects the refund (nothing is left, the payment is
   *   disputed, the balance is too low), `unavailable` if Stripe fails
   */
  async createRefund(params: RefundParams): Promise<RefundSnapshot> {
    // A refund moves money at once, so an existing refund is searched for before a new idempotency
    // key is used.
    const refund = await retryWithNewKey(
      params.idempotencyKey,
      async (key, isFirst) => {
        const existing = isFirst ? undefined : await findExisting(client, params);
        return existing ?? (await create(client, params, key));
      },
      // Stripe replays a rejection for 24 hours, although the cause of the rejection may be gone, for
      // example because the balance has grown.
      (status) => status >= 400,
    );
    return mapRefunds([refund])[0]!;
  },
});

const create = ({ stripe }: Client, { account, ...params }: RefundParams, idempotencyKey: string) =>
  callStripe(() =>
    stripe.refunds
      .create(
        {
          payment_intent: params.paymentIntentId,
          amount: params.amountCents,
          reason: params.reason,
          metadata: { ...params.metadata, [REQUEST_KEY_FIELD]: params.idempotencyKey },
        },
        { stripeAccount: account, idempotencyKey },
      )
      .catch(throwRejection),
  );

/** Finds a refund that Stripe created although its response was an error. */
async function findExisting(
  { stripe }: Client,
  { account, paymentIntentId, idempotencyKey: requestKey }: RefundParams,
) {
  const existingRefunds = await listAll((pageParams) =>
    stripe.refunds.list(
      { ...pageParams, payment_intent: paymentIntentId },
      { stripeAccount: account },
    ),
  );
  return existingRefunds.find(
    (refund) =>
      refund.metadata?.[REQUEST_KEY_FIELD] === requestKey &&
      mapRefunds([refund]).some(countsAsRefunded),
  );
}

const REJECTION_REASONS: Readonly<Record<string, string>> = {
  charge_already_refunded: 'it is already fully refunded.',
  charge_disputed: 'it is disputed. The dispute decides whether the donor gets the money back.',
  charge_not_refundable: 'the card processor no longer refunds it.',
  resource_missing: 'the card processor does not find it in the mode of the present keys.',
  balance_insufficient: 'the balance of the account is too low.',
  refund_disputed_payment:
    'it is disputed. The dispute decides whether the donor gets the money back.',
};

/**
 * Converts a rejection into a `conflict` that names the reason. Other errors are rethrown
 * unchanged.
 */
function throwRejection(cause: unknown): never {
  if (cause instanceof Stripe.errors.StripeInvalidRequestError) {
    const reason = REJECTION_REASONS[cause.code ?? ''] ?? 'the card processor rejected the refund.';
    throw new ConnectError('conflict', `This donation cannot be refunded: ${reason}`, {
      code: 'refund_not_possible',
      cause,
    });
  }
  throw cause;
}
