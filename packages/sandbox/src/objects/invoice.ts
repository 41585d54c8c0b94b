import { newId } from '../ids.ts';
import type { Customer, Invoice, InvoicePayment, PaymentIntent, Subscription } from '../wire.ts';
import { newInvoiceLine } from './invoice-line.ts';
import { itemOf } from './subscription.ts';

/** A draft for one period of a subscription. */
export function newInvoice(
  created: number,
  subscription: Subscription,
  customer: Customer,
  billing_reason: 'subscription_create' | 'subscription_cycle',
): Invoice {
  const id = newId('in');
  const line = newInvoiceLine(id, subscription);
  const item = itemOf(subscription);
  const first = billing_reason === 'subscription_create';
  return {
    id,
    object: 'invoice',
    account_country: 'US',
    account_name: 'Sandbox account',
    account_tax_ids: null,
    amount_due: line.amount,
    amount_overpaid: 0,
    amount_paid: 0,
    amount_remaining: line.amount,
    amount_shipping: 0,
    application: null,
    attempt_count: 0,
    attempted: false,
    auto_advance: true,
    automatic_tax: {
      disabled_reason: null,
      enabled: false,
      liability: null,
      provider: null,
      status: null,
    },
    automatically_finalizes_at: null,
    billing_reason,
    collection_method: 'charge_automatically',
    created,
    currency: subscription.currency,
    custom_fields: null,
    customer: customer.id,
    customer_account: null,
    customer_address: customer.address ?? null,
    customer_email: customer.email,
    customer_name: customer.name ?? null,
    customer_phone: customer.phone ?? null,
    customer_shipping: null,
    customer_tax_exempt: 'none',
    customer_tax_ids: [],
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    due_date: null,
    effective_at: null,
    ending_balance: null,
    footer: null,
    from_invoice: null,
    hosted_invoice_url: null,
    invoice_pdf: null,
    issuer: { type: 'self' },
    last_finalization_error: null,
    latest_revision: null,
    lines: { object: 'list', data: [line], has_more: false, url: `/v1/invoices/${id}/lines` },
    livemode: false,
    metadata: {},
    next_payment_attempt: null,
    number: null,
    on_behalf_of: null,
    parent: {
      quote_details: null,
      subscription_details: { metadata: subscription.metadata, subscription: subscription.id },
      type: 'subscription_details',
    },
    payment_settings: {
      default_mandate: null,
      payment_method_options: null,
      payment_method_types: null,
    },
    // Of a renewal, the period that has ended; what is paid for stands in the line.
    period_end: item.current_period_start,
    period_start: first
      ? item.current_period_start
      : Math.min(item.current_period_start, subscription.start_date),
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    receipt_number: null,
    rendering: null,
    shipping_cost: null,
    shipping_details: null,
    starting_balance: 0,
    statement_descriptor: null,
    status: 'draft',
    status_transitions: {
      finalized_at: null,
      marked_uncollectible_at: null,
      paid_at: null,
      voided_at: null,
    },
    subtotal: line.amount,
    subtotal_excluding_tax: line.amount,
    test_clock: subscription.test_clock,
    total: line.amount,
    total_discount_amounts: [],
    total_excluding_tax: line.amount,
    total_pretax_credit_amounts: [],
    total_taxes: [],
    webhooks_delivered_at: created,
  };
}

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
