import { createHash } from 'node:crypto';
import { ConnectError, type PaymentIntent } from '@connect-embed/contract';
import type Stripe from 'stripe';
import type { PayableOrganization } from '../auth/organization.ts';
import type { ProcessorConfig } from '../config.ts';
import type { Client } from './client.ts';
import { ignoreCode } from './errors.ts';
import { requireCurrencyStep, donationMetadata, type IntentRequest } from './intents.ts';
import { retryWithNewKey } from './retry-with-new-key.ts';
import {
  intervalOf,
  mapSubscription,
  type SubscriptionFrequency,
  type SubscriptionSnapshot,
} from './map-subscription.ts';

/** A gift that repeats, as the processor is asked to take it. */
export interface SubscriptionRequest extends IntentRequest {
  frequency: SubscriptionFrequency;
  /** What the donor may change the amount to: `500-100000`, or `500,1000`. */
  amounts: string;
  /** How the card fee is reckoned that the donor covers: `290+30`. */
  feeCover?: string | undefined;
}

/** One for each organization, made when its first plan is: prices must belong to a product. */
const productOf = (organizationId: string) => `prod_connect_${organizationId}`;

/** Gifts that repeat: subscriptions on the organization's own account. */
export const subscriptions = ({ stripe, call }: Client, { publishableKey }: ProcessorConfig) => {
  /** Only spares questions: whether it is there, the processor knows. */
  const productsCreated = new Set<string>();

  async function ensureProduct(id: string, stripeAccount: string): Promise<void> {
    if (productsCreated.has(id)) return;
    const product = { id, name: 'Recurring gift' };
    await retryWithNewKey(id, (idempotencyKey) =>
      call(async () => {
        await stripe.products
          .create(product, { stripeAccount, idempotencyKey })
          .catch(ignoreCode('resource_already_exists'));
      }),
    );
    productsCreated.add(id);
  }

  const createCustomer = (
    params: Stripe.CustomerCreateParams,
    options: { stripeAccount: string; key: string },
  ) =>
    retryWithNewKey(`${options.key} customer`, (idempotencyKey) =>
      call(() =>
        stripe.customers.create(params, { stripeAccount: options.stripeAccount, idempotencyKey }),
      ),
    );

  return {
    /**
     * Opens a customer and a subscription whose first invoice the browser pays. Until then the
     * processor keeps it `incomplete`, and gives it up after 23 hours.
     *
     * Every call has a key that follows from the request's, and so has the plan's id, which comes
     * back with every event: a repetition in whatever process finds what was opened. All calls are
     * one wait: a request that is cut short is repeated.
     */
    async createSubscription(organization: PayableOrganization, request: SubscriptionRequest) {
      const { currency, processorAccountId: stripeAccount } = organization;
      const { idempotencyKey: key } = request;
      requireCurrencyStep(currency, request.amount_cents);
      const product = productOf(organization.id);
      await ensureProduct(product, stripeAccount);
      const { amounts, feeCover } = request;
      const metadata = {
        ...donationMetadata(organization, request),
        amounts,
        ...(feeCover && { fee_cover: feeCover }),
      };
      const customer = await createCustomer(customerOf(request, organization.id), {
        stripeAccount,
        key,
      });
      const price_data = {
        currency,
        product,
        recurring: intervalOf(request.frequency),
        unit_amount: request.amount_cents,
      };
      const paramsOf = (plan_id: string): Stripe.SubscriptionCreateParams => ({
        customer: customer.id,
        items: [{ price_data }],
        payment_behavior: 'default_incomplete',
        payment_settings: { save_default_payment_method: 'on_subscription' },
        metadata: { ...metadata, plan_id },
        expand: EXPANDED_FIELDS,
      });
      // One that was made in spite of a failure is another plan, which nobody can pay for.
      const subscription = await retryWithNewKey(`${key} subscription`, (idempotencyKey) =>
        call(() =>
          stripe.subscriptions.create(paramsOf(derivePlanId(idempotencyKey)), {
            stripeAccount,
            idempotencyKey,
          }),
        ),
      );
      const intent: PaymentIntent = {
        object: 'payment_intent',
        ...firstPaymentOf(subscription),
        publishable_key: publishableKey,
        stripe_account_id: stripeAccount,
        reference: request.reference,
      };
      return { intent, snapshot: mapSubscription(subscription) };
    },

    /** Asks for a plan as it is now. */
    async retrieveSubscription(
      subscriptionId: string,
      stripeAccount: string,
    ): Promise<SubscriptionSnapshot> {
      const expand = ['default_payment_method'];
      return mapSubscription(
        await call(() =>
          stripe.subscriptions.retrieve(subscriptionId, { expand }, { stripeAccount }),
        ),
      );
    },

    /**
     * Asks which intent paid an invoice.
     *
     * @returns undefined when there was nothing to pay
     * @throws {ConnectError} `unavailable` when the processor does not call it paid
     */
    async retrieveInvoicePayment(invoiceId: string, stripeAccount: string) {
      const invoice = await call(() =>
        stripe.invoices.retrieve(invoiceId, { expand: ['payments'] }, { stripeAccount }),
      );
      if (invoice.status !== 'paid') {
        throw new ConnectError('unavailable', `The processor does not call ${invoiceId} paid.`);
      }
      const paid = invoice.payments?.data.find(({ status }) => status === 'paid');
      return idOf(paid?.payment.payment_intent);
    },
  };
};

/** What is to be read with a subscription that has just been opened. */
const EXPANDED_FIELDS = [
  'default_payment_method',
  'latest_invoice.confirmation_secret',
  'latest_invoice.payments',
];

const derivePlanId = (key: string) =>
  `plan_${createHash('sha256').update(`plan ${key}`).digest('base64url').slice(0, 22)}`;

const customerOf = (
  { donor_email, donor_name }: SubscriptionRequest,
  organization_id: string,
): Stripe.CustomerCreateParams => ({
  ...(donor_email && { email: donor_email }),
  ...(donor_name && { name: donor_name }),
  metadata: { organization_id },
});

/** What the browser confirms. */
function firstPaymentOf({ id, latest_invoice: invoice }: Stripe.Subscription) {
  const open = typeof invoice === 'object' ? invoice : null;
  const client_secret = open?.confirmation_secret?.client_secret;
  const payment_intent_id = idOf(open?.payments?.data[0]?.payment.payment_intent);
  if (!client_secret || !payment_intent_id) {
    throw new ConnectError('unavailable', `The card processor sent no payment for ${id}.`);
  }
  return { payment_intent_id, client_secret };
}

export const idOf = (reference: string | { id: string } | null | undefined): string | undefined =>
  typeof reference === 'string' ? reference : reference?.id;
