import { createHash } from 'node:crypto';
import { allowedMethodTypes, methodOptions, type PaymentIntent } from '@connect-embed/contract';
import type Stripe from 'stripe';
import type { PayableOrganization } from '../../http/credential-organization.ts';
import { callStripe, type Client } from './client.ts';
import { ignoreCode, processorUnavailable } from './errors.ts';
import { requireCurrencyStep, donationMetadata, type IntentRequest } from './intents.ts';
import { browserKeys } from './browser-keys.ts';
import { retryWithNewKey } from './retry-with-new-key.ts';
import {
  intervalOf,
  type InvoiceFailure,
  mapSubscription,
  type SubscriptionFrequency,
  type SubscriptionSnapshot,
} from './map-subscription.ts';

/** The subscription to create at Stripe for a recurring donation. */
interface SubscriptionRequest extends IntentRequest {
  frequency: SubscriptionFrequency;
  /**
   * Amounts that the donor may change to, in minor units: a range `500-100000` or a list
   * `500,1000`.
   */
  amounts: string;
  /**
   * Rate of the card fee that the donor covers: basis points and a fixed amount, such as `290+30`.
   */
  feeCover?: string | undefined;
  /** The payment methods that the terms have chosen, such as `card,sepa_debit`. */
  methodChoice?: string | undefined;
}

/** Part of the processor client: subscriptions on the organization's Stripe account. */
export const subscriptions = (client: Client) => ({
  /**
   * Creates a customer and a subscription. The donor pays the first invoice in the browser; until
   * then the subscription is `incomplete`, and after 23 hours Stripe expires it.
   *
   * All idempotency keys and the plan id are derived from the idempotency key of the request, so a
   * repeated request, in any process, finds the existing objects. The plan id is part of the
   * metadata, which every event contains.
   */
  async createSubscription(organization: PayableOrganization, request: SubscriptionRequest) {
    const { stripe } = client;
    const { currency, processorAccountId: stripeAccount } = organization;
    requireCurrencyStep(currency, request.amount_cents);
    const product = await ensureProduct(client, organization);
    const customer = await createCustomer(client, organization, request);
    const key = `${request.requestKey} subscription`;
    const subscription = await retryWithNewKey(key, (idempotencyKey) => {
      // If Stripe created a subscription although it returned an error, the next key has its own
      // plan id. The orphaned subscription cannot be paid.
      const ids = { product, customer: customer.id, plan_id: derivePlanId(idempotencyKey) };
      const params = subscriptionParams(organization, request, ids);
      return callStripe(() =>
        stripe.subscriptions.create(params, { stripeAccount, idempotencyKey }),
      );
    });
    const { publishable_key, stripe_account_id } =
      await browserKeys(client).browserKeysOf(stripeAccount);
    const intent: PaymentIntent = {
      object: 'payment_intent',
      ...firstPaymentOf(subscription),
      publishable_key,
      stripe_account_id,
      reference: request.reference,
    };
    return { intent, snapshot: mapSubscription(subscription) };
  },

  async retrieveSubscription(
    subscriptionId: string,
    stripeAccount: string,
  ): Promise<SubscriptionSnapshot> {
    const { stripe } = client;
    const expand = ['default_payment_method', 'latest_invoice.payments'];
    const subscription = await callStripe(() =>
      stripe.subscriptions.retrieve(subscriptionId, { expand }, { stripeAccount }),
    );
    const snapshot = mapSubscription(subscription);
    if (snapshot.status !== 'past_due') return snapshot;
    const failure = await retrieveInvoiceFailure(client, subscription, stripeAccount);
    return { ...snapshot, ...(failure && { failure }) };
  },

  /**
   * Finds the payment intent that paid an invoice.
   *
   * @returns undefined if the invoice had nothing to pay
   * @throws {ConnectError} `unavailable` if Stripe does not report the invoice as paid
   */
  async retrieveInvoicePayment(invoiceId: string, stripeAccount: string) {
    const { stripe } = client;
    const invoice = await callStripe(() =>
      stripe.invoices.retrieve(invoiceId, { expand: ['payments'] }, { stripeAccount }),
    );
    if (invoice.status !== 'paid')
      throw processorUnavailable(`Stripe does not report ${invoiceId} as paid.`);
    const paid = invoice.payments?.data.find(({ status }) => status === 'paid');
    return idOf(paid?.payment.payment_intent);
  },

  /**
   * Finds the invoice that a payment intent pays, because the payment intent does not name it.
   *
   * @returns undefined if it pays no invoice of a subscription
   */
  async findInvoiceOfPayment(payment_intent: string, stripeAccount: string) {
    const { stripe } = client;
    const payment = { type: 'payment_intent', payment_intent } as const;
    const { data } = await callStripe(() =>
      stripe.invoicePayments.list({ payment, expand: ['data.invoice'] }, { stripeAccount }),
    );
    const invoice = data[0]?.invoice;
    if (typeof invoice !== 'object' || invoice.deleted) return undefined;
    const subscriptionId = idOf(invoice.parent?.subscription_details?.subscription);
    if (!subscriptionId) return undefined;
    const isFirst = invoice.billing_reason === 'subscription_create';
    return { invoiceId: invoice.id, subscriptionId, isFirst };
  },
});

/**
 * Returns the id of the organization's product at Stripe. Every price must belong to a product. The
 * product is created with the organization's first subscription.
 */
async function ensureProduct(
  { stripe, existingProducts, findOwnKeys }: Client,
  { id: organizationId, processorAccountId: stripeAccount }: PayableOrganization,
): Promise<string> {
  const id = `prod_connect_${organizationId}`;
  // Live mode has products of its own.
  const mode = (await findOwnKeys(stripeAccount))?.livemode ?? 'platform';
  const known = `${stripeAccount} ${mode} ${id}`;
  if (existingProducts.has(known)) return id;
  const product = { id, name: 'Recurring gift' };
  await retryWithNewKey(id, (idempotencyKey) =>
    callStripe(async () => {
      await stripe.products
        .create(product, { stripeAccount, idempotencyKey })
        .catch(ignoreCode('resource_already_exists'));
    }),
  );
  existingProducts.add(known);
  return id;
}

function createCustomer(
  { stripe }: Client,
  { id: organization_id, processorAccountId: stripeAccount }: PayableOrganization,
  { requestKey, donor_email, donor_name }: SubscriptionRequest,
): Promise<Stripe.Customer> {
  const params: Stripe.CustomerCreateParams = {
    ...(donor_email && { email: donor_email }),
    ...(donor_name && { name: donor_name }),
    metadata: { organization_id },
  };
  return retryWithNewKey(`${requestKey} customer`, (idempotencyKey) =>
    callStripe(() => stripe.customers.create(params, { stripeAccount, idempotencyKey })),
  );
}

/** Fields to expand in the response to a new subscription. */
const EXPANDED_FIELDS = [
  'default_payment_method',
  'latest_invoice.confirmation_secret',
  'latest_invoice.payments',
];

type MethodType = Stripe.SubscriptionCreateParams.PaymentSettings.PaymentMethodType;

const derivePlanId = (key: string) =>
  `plan_${createHash('sha256').update(`plan ${key}`).digest('base64url').slice(0, 22)}`;

function subscriptionParams(
  organization: PayableOrganization,
  request: SubscriptionRequest,
  { product, customer, plan_id }: { product: string; customer: string; plan_id: string },
): Stripe.SubscriptionCreateParams {
  const { amounts, feeCover, methodChoice } = request;
  const allowed = allowedMethodTypes(request.offeredMethodTypes, true);
  const price_data = {
    currency: organization.currency,
    product,
    recurring: intervalOf(request.frequency),
    unit_amount: request.amount_cents,
  };
  return {
    customer,
    items: [{ price_data }],
    payment_behavior: 'default_incomplete',
    payment_settings: {
      save_default_payment_method: 'on_subscription',
      payment_method_types: allowed as MethodType[],
      payment_method_options: methodOptions(allowed),
    },
    metadata: {
      ...donationMetadata(organization, request),
      amounts,
      ...(feeCover && { fee_cover: feeCover }),
      ...(methodChoice && { payment_method_types: methodChoice }),
      plan_id,
    },
    expand: EXPANDED_FIELDS,
  };
}

/** Fetches why the latest invoice was not paid, unless its payment was not tried yet. */
async function retrieveInvoiceFailure(
  { stripe }: Client,
  subscription: Stripe.Subscription,
  stripeAccount: string,
): Promise<InvoiceFailure | undefined> {
  const { latest_invoice: invoice, default_payment_method } = subscription;
  const intentId = latestPaymentOf(subscription);
  if (typeof invoice !== 'object' || !invoice?.attempt_count || !intentId) return undefined;
  const { last_payment_error: error } = await callStripe(() =>
    stripe.paymentIntents.retrieve(intentId, {}, { stripeAccount }),
  );
  const { id, attempt_count: attempts, next_payment_attempt: next } = invoice;
  const [failedMethod, method] = [error?.payment_method?.id, idOf(default_payment_method)];
  const isReplaced = failedMethod && method && failedMethod !== method;
  const code = isReplaced ? null : (error?.decline_code ?? error?.code ?? null);
  return { invoiceId: id, code, attempts, nextAttemptAt: next ? new Date(next * 1000) : null };
}

/** Returns the payment intent of the first invoice, which the browser confirms. */
function firstPaymentOf(subscription: Stripe.Subscription) {
  const { id, latest_invoice: invoice } = subscription;
  const firstInvoice = typeof invoice === 'object' ? invoice : null;
  const client_secret = firstInvoice?.confirmation_secret?.client_secret;
  const payment_intent_id = latestPaymentOf(subscription);
  if (!client_secret || !payment_intent_id)
    throw processorUnavailable(`The card processor returned no payment for ${id}.`);
  return { payment_intent_id, client_secret };
}

/** Returns the payment intent of the latest invoice, of a subscription with `latest_invoice.payments` expanded. */
const latestPaymentOf = ({ latest_invoice: invoice }: Stripe.Subscription) =>
  typeof invoice === 'object'
    ? idOf(invoice?.payments?.data[0]?.payment.payment_intent)
    : undefined;

export const idOf = (reference: string | { id: string } | null | undefined): string | undefined =>
  typeof reference === 'string' ? reference : reference?.id;
