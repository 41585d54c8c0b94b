import { newId } from '../ids.ts';
import type {
  Customer,
  Invoice,
  InvoicePayment,
  PaymentIntent,
  Subscription,
} from '../stripe-types.ts';
import { newInvoiceLine } from './invoice-line.ts';
import { subscriptionItem } from './subscription.ts';

type BillingReason = 'subscription_create' | 'subscription_cycle' | 'subscription_update';

/** Creates a draft invoice for one period of a subscription, in Stripe's format. */
export function newInvoice(
  created: number,
  subscription: Subscription,
  customer: Customer,
  billing_reason: BillingReason,
): Invoice {
  const id = newId('in');
  const line = newInvoiceLine(id, subscription);
  return {
    id,
    object: 'invoice',
    ...UNSIMULATED_FIELDS,
    account_country: 'US',
    account_name: 'Sandbox account',
    billing_reason,
    collection_method: 'charge_automatically',
    created,
    currency: subscription.currency,
    lines: { object: 'list', data: [line], has_more: false, url: `/v1/invoices/${id}/lines` },
    livemode: false,
    metadata: {},
    parent: {
      quote_details: null,
      subscription_details: { metadata: subscription.metadata, subscription: subscription.id },
      type: 'subscription_details',
    },
    webhooks_delivered_at: created,
    ...draftFields(),
    ...amountFields(line.amount),
    ...customerFields(customer),
    ...periodFields(subscription, billing_reason),
  };
}

/** The fields that change when `invoices.ts` finalizes the invoice and its payment is attempted. */
const draftFields = () =>
  ({
    attempt_count: 0,
    attempted: false,
    auto_advance: true,
    automatically_finalizes_at: null,
    effective_at: null,
    hosted_invoice_url: null,
    invoice_pdf: null,
    next_payment_attempt: null,
    number: null,
    status: 'draft',
    status_transitions: {
      finalized_at: null,
      marked_uncollectible_at: null,
      paid_at: null,
      voided_at: null,
    },
  }) satisfies Partial<Invoice>;

const amountFields = (amount: number) =>
  ({
    amount_due: amount,
    amount_paid: 0,
    amount_remaining: amount,
    subtotal: amount,
    subtotal_excluding_tax: amount,
    total: amount,
    total_excluding_tax: amount,
  }) satisfies Partial<Invoice>;

/** The customer's contact data at the time of the invoice. */
const customerFields = (customer: Customer) =>
  ({
    customer: customer.id,
    customer_address: customer.address ?? null,
    customer_email: customer.email,
    customer_name: customer.name ?? null,
    customer_phone: customer.phone ?? null,
  }) satisfies Partial<Invoice>;

/**
 * The invoice's period. For a renewal, this is the previous period; the invoice line has the period
 * that is paid for.
 */
function periodFields(subscription: Subscription, billingReason: BillingReason) {
  const { current_period_start } = subscriptionItem(subscription);
  const hasNoPrevious = billingReason !== 'subscription_cycle';
  return {
    period_end: current_period_start,
    period_start: hasNoPrevious
      ? current_period_start
      : Math.min(current_period_start, subscription.start_date),
  };
}

/** Fields of taxes, shipping, credit notes and other features that the sandbox does not simulate. */
const UNSIMULATED_FIELDS = {
  account_tax_ids: null,
  amount_overpaid: 0,
  amount_shipping: 0,
  application: null,
  automatic_tax: {
    disabled_reason: null,
    enabled: false,
    liability: null,
    provider: null,
    status: null,
  },
  custom_fields: null,
  customer_account: null,
  customer_shipping: null,
  customer_tax_exempt: 'none',
  customer_tax_ids: [],
  default_payment_method: null,
  default_source: null,
  default_tax_rates: [],
  description: null,
  discounts: [],
  due_date: null,
  ending_balance: null,
  footer: null,
  from_invoice: null,
  issuer: { type: 'self' },
  last_finalization_error: null,
  latest_revision: null,
  on_behalf_of: null,
  payment_settings: {
    default_mandate: null,
    payment_method_options: null,
    payment_method_types: null,
  },
  post_payment_credit_notes_amount: 0,
  pre_payment_credit_notes_amount: 0,
  receipt_number: null,
  rendering: null,
  shipping_cost: null,
  shipping_details: null,
  starting_balance: 0,
  statement_descriptor: null,
  test_clock: null,
  total_discount_amounts: [],
  total_pretax_credit_amounts: [],
  total_taxes: [],
} satisfies Partial<Invoice>;

export const newInvoicePayment = (
  created: number,
  invoice: Invoice,
  intent: PaymentIntent,
): InvoicePayment => ({
  id: newId('inpay'),
  object: 'invoice_payment',
  amount_paid: null,
  amount_requested: invoice.amount_due,
  created,
  currency: invoice.currency,
  invoice: invoice.id,
  is_default: true,
  livemode: false,
  payment: { type: 'payment_intent', payment_intent: intent.id },
  status: 'open',
  status_transitions: { canceled_at: null, paid_at: null },
});
