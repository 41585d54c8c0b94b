import {
  allowedMethodTypes,
  methodOptions,
  currencyStep,
  invalidRequest,
  type PaymentIntent,
} from '@connect-embed/contract';
import type {
  CredentialOrganization,
  PayableOrganization,
} from '../../http/credential-organization.ts';
import { callStripe, type Client } from './client.ts';
import { ignoreCode, processorUnavailable } from './errors.ts';
import { browserKeys } from './browser-keys.ts';
import { retryWithNewKey } from './retry-with-new-key.ts';

/** The payment intent to create at Stripe for a donation. */
export interface IntentRequest {
  amount_cents: number;
  fund_id?: string | undefined;
  campaign_id?: string | undefined;
  /** The form of the dashboard through which the donation is made. */
  form_id?: string | undefined;
  /** Under which name the server shows a form that is not of the dashboard. */
  form_name?: string | undefined;
  page_origin?: string | undefined;
  donor_name?: string | undefined;
  donor_email?: string | undefined;
  fee_cover_cents?: number | undefined;
  /** The payment methods that the form offers, or else the organization. */
  offeredMethodTypes: readonly string[];
  /** Added by the donor or the API's client. Never overrides our own metadata keys. */
  metadata?: Record<string, string> | undefined;
  source: 'embed' | 'api';
  source_id: string;
  /** Short code by which people name the donation: docs/decisions/0086-donation-references.md */
  reference: string;
  /** Equal for every attempt at the same donation, so that Stripe creates one payment intent. */
  requestKey: string;
}

/** Part of the processor client: payment intents. */
export const intents = (client: Client) => ({
  /**
   * Creates a payment intent on the organization's Stripe account. The browser confirms it.
   *
   * @throws {ConnectError} `invalid_request` for an amount that Stripe does not accept, `conflict`
   *   for an idempotency key that was used with another donation, `unavailable` if Stripe fails
   */
  async createPaymentIntent(
    organization: PayableOrganization,
    request: IntentRequest,
  ): Promise<{ intent: PaymentIntent; livemode: boolean }> {
    const { stripe } = client;
    const { currency, processorAccountId } = organization;
    requireCurrencyStep(currency, request.amount_cents);
    const allowed = allowedMethodTypes(request.offeredMethodTypes, false);
    const params = {
      amount: request.amount_cents,
      currency,
      allowed_payment_method_types: allowed,
      payment_method_options: methodOptions(allowed),
      description: `Donation ${request.reference}`,
      metadata: donationMetadata(organization, request),
    };
    const created = await retryWithNewKey(request.requestKey, (idempotencyKey) =>
      callStripe(() =>
        stripe.paymentIntents.create(params, { stripeAccount: processorAccountId, idempotencyKey }),
      ),
    );
    if (!created.client_secret)
      throw processorUnavailable('The card processor returned no client secret.');
    const { publishable_key, stripe_account_id } =
      await browserKeys(client).browserKeysOf(processorAccountId);
    const intent: PaymentIntent = {
      object: 'payment_intent',
      payment_intent_id: created.id,
      client_secret: created.client_secret,
      publishable_key,
      stripe_account_id,
      reference: request.reference,
    };
    return { intent, livemode: created.livemode };
  },

  /** Saves a donation's reference in the metadata of its payment intent. Can be repeated. */
  async setReference(id: string, reference: string, stripeAccount: string): Promise<void> {
    const { stripe } = client;
    await callStripe(() =>
      stripe.paymentIntents.update(id, { metadata: { reference } }, { stripeAccount }),
    );
  },

  /**
   * Cancels a payment intent, so that no further card can be tried on it. Does nothing if it is paid or
   * processing.
   */
  async cancelPaymentIntent(id: string, stripeAccount: string): Promise<void> {
    const { stripe } = client;
    await callStripe(() =>
      stripe.paymentIntents
        .cancel(id, { cancellation_reason: 'abandoned' }, { stripeAccount })
        .catch(ignoreCode('payment_intent_unexpected_state')),
    );
  },
});

/**
 * Checks that Stripe accepts an amount as a multiple of the currency's smallest step.
 *
 * @throws {ConnectError} `invalid_request` if the amount is not a multiple
 */
export function requireCurrencyStep(currency: string, amountCents: number): void {
  const step = currencyStep(currency);
  if (amountCents % step) {
    throw invalidRequest('amount_cents', `must be a multiple of ${step} in ${currency}.`);
  }
}

/**
 * Returns the metadata of a payment intent. Stripe's events contain the metadata, so a donation can
 * be recorded even if our database has no record of the payment intent.
 */
export function donationMetadata(
  organization: CredentialOrganization,
  request: Omit<IntentRequest, 'requestKey' | 'offeredMethodTypes'>,
) {
  const { fund_id, campaign_id, form_id, form_name, donor_name, donor_email } = request;
  const { page_origin, source, source_id, reference } = request;
  const fee_cover_cents = request.fee_cover_cents ? String(request.fee_cover_cents) : undefined;
  const ownFields = {
    fund_id,
    campaign_id,
    form_id,
    form_name,
    page_origin,
    donor_name,
    donor_email,
    fee_cover_cents,
    source,
    source_id,
    reference,
  };
  const ownMetadata = Object.entries(ownFields).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  const { metadata } = request;
  return { ...metadata, organization_id: organization.id, ...Object.fromEntries(ownMetadata) };
}
