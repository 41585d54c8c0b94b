/** The life of an invoice: draft → open → paid, void or uncollectible. */
import type { Books } from './books.ts';
import { closeIntent, createIntent } from './collect.ts';
import { newInvoice, newInvoicePayment } from './objects/invoice.ts';
import { invalidParam } from './stripe-error.ts';
import type { Invoice, InvoicePayment, PaymentIntent, Subscription } from './wire.ts';

type Reason = 'subscription_create' | 'subscription_cycle';

export function draftInvoice(books: Books, subscription: Subscription, reason: Reason): Invoice {
  const customer = books.find('customer', String(subscription.customer));
  const invoice = books.add(newInvoice(books.now(), subscription, customer, reason));
  books.emit('invoice.created', invoice);
  return invoice;
}

/** Gives it its number and the intent by which it is paid. */
export function finalizeInvoice(books: Books, invoice: Invoice): PaymentIntent {
  const number = numberOf(books, String(invoice.customer));
  const page = `${books.url}/invoices/${invoice.id}`;
  Object.assign(invoice, {
    status: 'open',
    number,
    automatically_finalizes_at: null,
    effective_at: books.now(),
    hosted_invoice_url: page,
    invoice_pdf: `${page}/pdf`,
    status_transitions: { ...invoice.status_transitions, finalized_at: books.now() },
  } satisfies Partial<Invoice>);
  const intent = openIntent(books, invoice);
  books.save(invoice);
  books.emit('invoice.finalized', invoice);
  return intent;
}

function openIntent(books: Books, invoice: Invoice): PaymentIntent {
  const first = invoice.billing_reason === 'subscription_create';
  const intent = createIntent(
    books,
    {
      amount: invoice.amount_due,
      currency: invoice.currency,
      customer: invoice.customer as string,
      description: first ? 'Subscription creation' : 'Subscription update',
      setup_future_usage: 'off_session',
      receipt_email: null,
    },
    { invoice: invoice.id },
  );
  books.add(newInvoicePayment(books.now(), invoice, intent));
  return intent;
}

/** Counted per customer, as at Stripe: `AB12CD34-0001`. */
function numberOf(books: Books, id: string): string {
  const customer = books.find('customer', id);
  const sequence = customer.next_invoice_sequence ?? 1;
  books.save({ ...customer, next_invoice_sequence: sequence + 1 });
  return `${customer.invoice_prefix}-${String(sequence).padStart(4, '0')}`;
}

export function markPaid(books: Books, invoice: Invoice) {
  Object.assign(invoice, {
    status: 'paid',
    amount_paid: invoice.amount_due,
    amount_remaining: 0,
    attempted: true,
    attempt_count: invoice.attempt_count + 1,
    next_payment_attempt: null,
    auto_advance: false,
    status_transitions: { ...invoice.status_transitions, paid_at: books.now() },
  } satisfies Partial<Invoice>);
  books.save(invoice);
  settlePayment(books, invoice, 'paid');
  for (const type of ['invoice.paid', 'invoice.payment_succeeded']) books.emit(type, invoice);
}

/** @param next when it is tried again; null for never, or by the donor only */
export function markFailed(books: Books, invoice: Invoice, next: number | null) {
  invoice.attempted = true;
  invoice.attempt_count += 1;
  invoice.next_payment_attempt = next;
  books.save(invoice);
  books.emit('invoice.payment_failed', invoice);
}

/** @throws {StripeError} 400 for one that is not open */
export function voidInvoice(
  books: Books,
  invoice: Invoice,
  as: 'void' | 'uncollectible' = 'void',
): Invoice {
  if (invoice.status !== 'open') {
    throw invalidParam('invoice', `You can only pass in open invoices. This invoice isn't open.`);
  }
  const at = as === 'void' ? 'voided_at' : 'marked_uncollectible_at';
  invoice.status = as;
  invoice.auto_advance = false;
  invoice.next_payment_attempt = null;
  invoice.status_transitions[at] = books.now();
  books.save(invoice);
  books.emit(as === 'void' ? 'invoice.voided' : 'invoice.marked_uncollectible', invoice);
  books.never('retry_invoice', invoice.id);
  if (as === 'void') {
    const payment = settlePayment(books, invoice, 'canceled');
    const intent = payment && books.find('payment_intent', String(payment.payment.payment_intent));
    if (intent) closeIntent(books, intent, 'void_invoice');
  }
  return invoice;
}

export const paymentOf = (books: Books, invoice: string): InvoicePayment | undefined =>
  books.all('invoice_payment', { fields: { invoice } })[0];

function settlePayment(books: Books, invoice: Invoice, status: 'paid' | 'canceled') {
  const payment = paymentOf(books, invoice.id);
  if (!payment) return undefined;
  payment.status = status;
  payment.amount_paid = status === 'paid' ? invoice.amount_due : null;
  payment.status_transitions[`${status}_at`] = books.now();
  books.save(payment);
  if (status === 'paid') books.emit('invoice_payment.paid', payment);
  return payment;
}
