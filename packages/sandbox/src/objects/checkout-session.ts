import { newId } from '../ids.ts';
import type { CheckoutSession } from '../stripe-types.ts';

/** Fields of a session that its request determines. */
export type CheckoutSessionInput = Pick<
  CheckoutSession,
  | 'amount_total'
  | 'cancel_url'
  | 'client_reference_id'
  | 'currency'
  | 'customer_email'
  | 'expires_at'
  | 'locale'
  | 'metadata'
  | 'submit_type'
  | 'success_url'
>;

/**
 * Creates a Checkout session in Stripe's format.
 *
 * @param pagesUrl URL of the folder of the payment pages
 */
export function newCheckoutSession(
  created: number,
  pagesUrl: string,
  input: CheckoutSessionInput,
): CheckoutSession {
  const id = newId('cs_test');
  return {
    id,
    object: 'checkout.session',
    ...UNSIMULATED_FIELDS,
    amount_subtotal: input.amount_total,
    created,
    customer_details: null,
    livemode: false,
    mode: 'payment',
    payment_intent: null,
    payment_method_types: ['card'],
    payment_status: 'unpaid',
    status: 'open',
    ui_mode: 'hosted_page',
    url: `${pagesUrl}/${id}`,
    ...input,
  };
}

/** Fields of taxes, shipping, subscriptions and other features that the sandbox does not simulate. */
const UNSIMULATED_FIELDS = {
  adaptive_pricing: { enabled: false },
  after_expiration: null,
  allow_promotion_codes: null,
  allowed_payment_method_types: null,
  automatic_tax: { enabled: false, liability: null, provider: null, status: null },
  billing_address_collection: null,
  client_secret: null,
  collected_information: null,
  consent: null,
  consent_collection: null,
  currency_conversion: null,
  custom_fields: [],
  custom_text: {
    after_submit: null,
    shipping_address: null,
    submit: null,
    terms_of_service_acceptance: null,
  },
  customer: null,
  customer_account: null,
  customer_creation: 'if_required',
  discounts: null,
  integration_identifier: null,
  invoice: null,
  invoice_creation: null,
  managed_payments: null,
  origin_context: null,
  payment_link: null,
  payment_method_collection: 'if_required',
  payment_method_configuration_details: null,
  payment_method_options: null,
  permissions: null,
  recovered_from: null,
  saved_payment_method_options: null,
  setup_intent: null,
  shipping_address_collection: null,
  shipping_cost: null,
  shipping_options: [],
  subscription: null,
  total_details: null,
  wallet_options: null,
} satisfies Partial<CheckoutSession>;
