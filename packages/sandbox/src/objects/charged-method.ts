import { newId } from '../ids.ts';
import type { CardDetails, ChargedMethod, PaymentIntent, PaymentMethod } from '../stripe-types.ts';

/**
 * Returns the payment method as a charge contains it, in Stripe's format.
 *
 * @param mandate id of the mandate of a bank debit
 */
export function chargedMethod(
  intent: PaymentIntent,
  method: PaymentMethod,
  mandate: string | undefined,
): ChargedMethod {
  const { type, sepa_debit, us_bank_account, paypal, billing_details } = method;
  if (sepa_debit) {
    const { generated_from: _, ...account } = sepa_debit;
    return { type, sepa_debit: { ...account, mandate: mandate ?? null } };
  }
  if (us_bank_account) {
    const {
      financial_connections_account: _,
      networks: __,
      status_details: ___,
      ...account
    } = us_bank_account;
    const debit = { ...account, payment_reference: null, ...(mandate && { mandate }) };
    return { type, us_bank_account: debit };
  }
  if (paypal) {
    return {
      type,
      paypal: {
        ...paypal,
        payer_name: billing_details.name,
        seller_protection: { dispute_categories: null, status: 'not_eligible' },
        transaction_id: newId('paypal'),
      },
    };
  }
  return { type: 'card', card: cardDetails(intent, method) };
}

function cardDetails(intent: PaymentIntent, { card }: PaymentMethod): CardDetails {
  return {
    amount_authorized: intent.amount,
    authorization_code: null,
    brand: card?.brand ?? null,
    checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
    country: 'US',
    electronic_commerce_indicator: null,
    exp_month: card?.exp_month ?? 1,
    exp_year: card?.exp_year ?? 1970,
    funding: 'credit',
    installments: null,
    last4: card?.last4 ?? null,
    mandate: null,
    network: card?.brand ?? null,
    network_transaction_id: null,
    regulated_status: 'unregulated',
    three_d_secure: null,
    transaction_link_id: null,
    wallet: null,
  };
}
