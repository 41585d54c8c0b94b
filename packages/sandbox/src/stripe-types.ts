/**
 * Types of the `stripe` package, so that the compiler checks the sandbox's responses.
 *
 * The package is not loaded at run time.
 */
import type Stripe from 'stripe';

export type PaymentIntent = Stripe.PaymentIntent;
export type Charge = Stripe.Charge;
export type BalanceTransaction = Stripe.BalanceTransaction;
export type PaymentMethod = Stripe.PaymentMethod;
export type Refund = Stripe.Refund;
export type Customer = Stripe.Customer;
export type Product = Stripe.Product;
export type Price = Stripe.Price;
export type Plan = Stripe.Plan;
export type Subscription = Stripe.Subscription;
export type Invoice = Stripe.Invoice;
export type InvoicePayment = Stripe.InvoicePayment;
export type SetupIntent = Stripe.SetupIntent;
export type Payout = Stripe.Payout;
export type Dispute = Stripe.Dispute;
export type Account = Stripe.Account;
export type PaymentMethodDomain = Stripe.PaymentMethodDomain;
export type WebhookEndpoint = Stripe.WebhookEndpoint;
export type Mandate = Stripe.Mandate;
export type LastPaymentError = Stripe.PaymentIntent.LastPaymentError;
export type CancellationReason = Stripe.PaymentIntent.CancellationReason;
export type CardDetails = Stripe.Charge.PaymentMethodDetails.Card;
export type ChargedMethod = Stripe.Charge.PaymentMethodDetails;

/** An event as Stripe sends it; `data.object` is a snapshot at the time of the event. */
export type SandboxEvent = {
  id: string;
  object: 'event';
  account?: string;
  api_version: string;
  created: number;
  data: { object: StripeObject; previous_attributes?: object };
  livemode: boolean;
  pending_webhooks: number;
  request: { id: string | null; idempotency_key: string | null };
  type: string;
};

/** The objects in the database, by the name in their field `object`. */
export type Kinds = {
  payment_intent: PaymentIntent;
  charge: Charge;
  balance_transaction: BalanceTransaction;
  payment_method: PaymentMethod;
  refund: Refund;
  customer: Customer;
  product: Product;
  price: Price;
  subscription: Subscription;
  invoice: Invoice;
  invoice_payment: InvoicePayment;
  setup_intent: SetupIntent;
  payout: Payout;
  dispute: Dispute;
  account: Account;
  payment_method_domain: PaymentMethodDomain;
  mandate: Mandate;
  webhook_endpoint: WebhookEndpoint;
  event: SandboxEvent;
};
export type Kind = keyof Kinds;
export type StripeObject = Exclude<Kinds[Kind], SandboxEvent>;

/** Stripe's API version of these types; the `stripe` package pins the same version. */
export const API_VERSION = '2026-10-28.endive';

/** The account of objects that are created without a `Stripe-Account` header. */
export const PLATFORM_ACCOUNT = 'acct_sandbox';
