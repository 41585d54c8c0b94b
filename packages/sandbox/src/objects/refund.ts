import { newId } from '../ids.ts';
import type { Charge, Refund } from '../stripe-types.ts';

type Input = Pick<Refund, 'amount' | 'metadata' | 'reason' | 'status'>;

/** Creates a refund in Stripe's format. */
export const newRefund = (created: number, charge: Charge, input: Input): Refund => ({
  id: newId('re'),
  object: 'refund',
  balance_transaction: null,
  charge: charge.id,
  created,
  currency: charge.currency,
  customer: charge.customer,
  customer_account: null,
  ...(charge.payment_method_details?.card && {
    destination_details: {
      card: {
        reference_status: 'pending',
        reference_type: 'acquirer_reference_number',
        type: 'refund',
      },
      type: 'card',
    },
  }),
  payment_intent: charge.payment_intent,
  payment_method: charge.payment_method,
  receipt_number: null,
  source_transfer_reversal: null,
  transfer_reversal: null,
  ...input,
});
