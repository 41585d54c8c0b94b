import { newId } from '../ids.ts';
import type { Decline } from '../outcome.ts';
import type { Charge, PaymentIntent, PaymentMethod } from '../stripe-types.ts';
import { chargedMethod } from './charged-method.ts';

/**
 * Creates a successful charge in Stripe's format; `newFailedCharge` overrides the fields that
 * differ.
 *
 * @param mandate id of the mandate of a bank debit
 */
export function newCharge(
  created: number,
  intent: PaymentIntent,
  method: PaymentMethod,
  mandate?: string,
): Charge {
  return {
    // Charges of other methods than cards have another prefix at Stripe.
    id: newId(method.type === 'card' ? 'ch' : 'py'),
    object: 'charge',
    ...UNSIMULATED_FIELDS,
    amount: intent.amount,
    amount_captured: intent.amount,
    amount_refunded: 0,
    application_fee_amount: intent.application_fee_amount,
    balance_transaction: null,
    billing_details: { ...method.billing_details },
    calculated_statement_descriptor: 'SANDBOX',
    captured: true,
    created,
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    disputed: false,
    failure_code: null,
    failure_message: null,
    livemode: false,
    metadata: intent.metadata,
    outcome: outcome({
      network_status: 'approved_by_network',
      type: 'authorized',
      seller_message: 'Payment complete.',
    }),
    paid: true,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: chargedMethod(intent, method, mandate),
    receipt_email: intent.receipt_email,
    refunded: false,
    statement_descriptor: intent.statement_descriptor,
    statement_descriptor_suffix: intent.statement_descriptor_suffix,
    status: 'succeeded',
    transfer_group: intent.transfer_group,
  };
}

/** Fields of transfers, receipts and other features that the sandbox does not simulate. */
const UNSIMULATED_FIELDS = {
  application: null,
  application_fee: null,
  failure_balance_transaction: null,
  fraud_details: {},
  on_behalf_of: null,
  receipt_number: null,
  receipt_url: null,
  review: null,
  shipping: null,
  source: null,
  source_transfer: null,
  transfer_data: null,
} satisfies Partial<Charge>;

export const newFailedCharge = (
  created: number,
  intent: PaymentIntent,
  method: PaymentMethod,
  decline: Decline,
): Charge => toFailed(newCharge(created, intent, method), decline);

/** Creates the charge of a bank debit that the bank has not paid yet. */
export const newPendingCharge = (
  created: number,
  intent: PaymentIntent,
  method: PaymentMethod,
  mandate: string,
): Charge => ({
  ...newCharge(created, intent, method, mandate),
  paid: false,
  status: 'pending',
});

export const toFailed = (charge: Charge, decline: Decline): Charge => ({
  ...charge,
  amount_captured: 0,
  captured: false,
  failure_code: decline.code,
  failure_message: decline.message,
  outcome: outcome({
    network_status: 'declined_by_network',
    reason: decline.decline_code ?? decline.code,
    seller_message: 'The bank returned the decline code.',
    type: 'issuer_declined',
  }),
  paid: false,
  status: 'failed',
});

const outcome = (
  fields: Partial<NonNullable<Charge['outcome']>> & { type: string },
): NonNullable<Charge['outcome']> => ({
  advice_code: null,
  network_advice_code: null,
  network_decline_code: null,
  network_status: null,
  reason: null,
  risk_level: 'normal',
  risk_score: 12,
  seller_message: null,
  ...fields,
});
