/** Lifecycle of a simulated invoice: draft → open → paid or void. */
import type { Ledger } from './ledger.ts';
import { closeIntent, createIntent } from './attempt-payment.ts';
import { newInvoice, newInvoicePayment } from './objects/invoice.ts';
import { invalidParamError } from './stripe-error.ts';
import type { Invoice, InvoicePayment, PaymentIntent, Subscription } from './stripe-types.ts';

type Reason = 'subscription_create' | 'subscription_cycle' | 'subscription_update';

export function draftInvoice(ledger: Ledger, subscription: Subscription, reason: Reason): Invoice {
  const customer = ledger.find('customer', String(subscription.customer));
  const invoice = ledger.add(newInvoice(ledger.now(), subscription, customer, reason));
  ledger.emit('invoice.created', invoice);
  return invoice;
}

/** Assigns the invoice number, and creates the payment intent that pays the invoice. */
export function finalizeInvoice(ledger: Ledger, invoice: Invoice): PaymentIntent {
  const number = nextInvoiceNumber(ledger, String(invoice.customer));
  const hostedUrl = `${ledger.url}/invoices/${invoice.id}`;
  Object.assign(invoice, {
    status: 'open',
    number,
    automatically_finalizes_at: null,
    effective_at: ledger.now(),
    hosted_invoice_url: hostedUrl,
    invoice_pdf: `${hostedUrl}/pdf`,
    status_transitions: { ...invoice.status_transitions, finalized_at: ledger.now() },
  } satisfies Partial<Invoice>);
  const intent = createInvoiceIntent(ledger, invoice);
  ledger.save(invoice);
  ledger.emit('invoice.finalized', invoice);
  return intent;
}

function createInvoiceIntent(ledger: Ledger, invoice: Invoice): PaymentIntent {
  const isFirst = invoice.billing_reason === 'subscription_create';
  const id = String(invoice.parent?.subscription_details?.subscription);
  const { payment_settings } = ledger.find('subscription', id);
  const intent = createIntent(
    ledger,
    {
      amount: invoice.amount_due,
      currency: invoice.currency,
      customer: invoice.customer as string,
      description: isFirst ? 'Subscription creation' : 'Subscription update',
      setup_future_usage: 'off_session',
      payment_method_types: payment_settings?.payment_method_types ?? ['card'],
      receipt_email: null,
    },
    { invoice: invoice.id },
  );
  ledger.add(newInvoicePayment(ledger.now(), invoice, intent));
  return intent;
}

/** Numbers are counted per customer, as at Stripe: `AB12CD34-0001`. */
function nextInvoiceNumber(ledger: Ledger, id: string): string {
  const customer = ledger.find('customer', id);
  const sequence = customer.next_invoice_sequence ?? 1;
  ledger.save({ ...customer, next_invoice_sequence: sequence + 1 });
  return `${customer.invoice_prefix}-${String(sequence).padStart(4, '0')}`;
}

export function markInvoicePaid(ledger: Ledger, invoice: Invoice) {
  Object.assign(invoice, {
    status: 'paid',
    amount_paid: invoice.amount_due,
    amount_remaining: 0,
    attempted: true,
    attempt_count: invoice.attempt_count + 1,
    next_payment_attempt: null,
    auto_advance: false,
    status_transitions: { ...invoice.status_transitions, paid_at: ledger.now() },
  } satisfies Partial<Invoice>);
  ledger.save(invoice);
  updateInvoicePayment(ledger, invoice, 'paid');
  for (const type of ['invoice.paid', 'invoice.payment_succeeded']) ledger.emit(type, invoice);
}

/** @param nextAttemptAt time of the next automatic attempt, in seconds; null for none */
export function markInvoiceAttemptFailed(
  ledger: Ledger,
  invoice: Invoice,
  nextAttemptAt: number | null,
) {
  invoice.attempted = true;
  invoice.attempt_count += 1;
  invoice.next_payment_attempt = nextAttemptAt;
  ledger.save(invoice);
  ledger.emit('invoice.payment_failed', invoice);
}

/** @throws {StripeError} 400 if the invoice is not open, or a debit for it is processing */
export function voidInvoice(ledger: Ledger, invoice: Invoice): Invoice {
  if (invoice.status !== 'open') {
    throw invalidParamError(
      'invoice',
      `You can only pass in open invoices. This invoice isn't open.`,
    );
  }
  if (isProcessing(ledger, invoice)) {
    throw invalidParamError('invoice', 'This invoice has a payment that is processing.');
  }
  invoice.status = 'void';
  invoice.auto_advance = false;
  invoice.next_payment_attempt = null;
  invoice.status_transitions.voided_at = ledger.now();
  ledger.save(invoice);
  ledger.emit('invoice.voided', invoice);
  ledger.unschedule('retry_invoice', invoice.id);
  updateInvoicePayment(ledger, invoice, 'canceled');
  const intent = invoiceIntent(ledger, invoice);
  if (intent) closeIntent(ledger, intent, 'void_invoice');
  return invoice;
}

export const invoicePaymentFor = (ledger: Ledger, invoice: string): InvoicePayment | undefined =>
  ledger.listAll('invoice_payment', { fields: { invoice } })[0];

function invoiceIntent(ledger: Ledger, invoice: Invoice): PaymentIntent | undefined {
  const id = invoicePaymentFor(ledger, invoice.id)?.payment.payment_intent;
  return id ? ledger.find('payment_intent', String(id)) : undefined;
}

/** Whether a bank debit pays the invoice, and the bank has not decided yet. */
export const isProcessing = (ledger: Ledger, invoice: Invoice) =>
  invoiceIntent(ledger, invoice)?.status === 'processing';

function updateInvoicePayment(ledger: Ledger, invoice: Invoice, status: 'paid' | 'canceled') {
  const payment = invoicePaymentFor(ledger, invoice.id);
  if (!payment) return undefined;
  payment.status = status;
  payment.amount_paid = status === 'paid' ? invoice.amount_due : null;
  payment.status_transitions[`${status}_at`] = ledger.now();
  ledger.save(payment);
  if (status === 'paid') ledger.emit('invoice_payment.paid', payment);
  return payment;
}
