import { ConnectError, type CheckoutSession } from '@connect-embed/contract';
import type Stripe from 'stripe';
import type { PayableOrganization } from '../../http/credential-organization.ts';
import type { Client } from './client.ts';
import { donationMetadata, requireCurrencyStep, type IntentRequest } from './intents.ts';

/** How long a donor can pay on a payment page. Stripe accepts 30 minutes to 24 hours. */
export const CHECKOUT_OPEN_MINUTES = 45;

/** The Checkout session to create at Stripe for a donation. */
export interface CheckoutRequest extends Omit<IntentRequest, 'idempotencyKey'> {
  donor_email: string;
  success_url: string;
  cancel_url: string;
}

/** Part of the processor client: payment pages of Stripe, for donors without JavaScript. */
export const checkout = {
  /**
   * Creates a Checkout session on the organization's Stripe account. Its payment intent, which Stripe
   * creates when the donor pays, has the metadata of every donation.
   *
   * Needs no idempotency key. A repeated request creates another session only if the URL of the first
   * one was lost, so nobody can pay twice.
   *
   * @throws {ConnectError} `invalid_request` for an amount that Stripe does not accept, `unavailable` if
   *   Stripe fails
   */
  async createCheckoutSession(
    { stripe, callStripe }: Client,
    organization: PayableOrganization,
    request: CheckoutRequest,
  ): Promise<CheckoutSession> {
    requireCurrencyStep(organization.currency, request.amount_cents);
    const stripeAccount = organization.processorAccountId;
    const params = checkoutParams(organization, request);
    const session = await callStripe(() =>
      stripe.checkout.sessions.create(params, { stripeAccount }),
    );
    if (!session.url) {
      throw new ConnectError('unavailable', 'The card processor returned no payment page.', {
        code: 'processor_unavailable',
      });
    }
    return {
      id: session.id,
      object: 'checkout_session',
      url: session.url,
      expires_at: new Date(session.expires_at * 1000).toISOString(),
      reference: request.reference,
    };
  },

  /** Expires the open Checkout sessions of an organization, so that nobody can pay with them any more. */
  async expireCheckoutSessions(
    { stripe, callStripe, listAll }: Client,
    organizationId: string,
    stripeAccount: string,
  ): Promise<void> {
    const open = await listAll((pageParams) =>
      stripe.checkout.sessions.list({ ...pageParams, status: 'open' }, { stripeAccount }),
    );
    // The account may have sessions of other programs.
    const ours = open.filter(({ metadata }) => metadata?.['organization_id'] === organizationId);
    for (const { id } of ours)
      await callStripe(() => stripe.checkout.sessions.expire(id, {}, { stripeAccount }));
  },
};

function checkoutParams(
  organization: PayableOrganization,
  request: CheckoutRequest,
): Stripe.Checkout.SessionCreateParams {
  const { amount_cents, donor_email, success_url, cancel_url } = request;
  const price_data = {
    currency: organization.currency,
    unit_amount: amount_cents,
    product_data: { name: organization.name },
  };
  return {
    mode: 'payment',
    submit_type: 'donate',
    metadata: { organization_id: organization.id },
    line_items: [{ price_data, quantity: 1 }],
    payment_intent_data: {
      description: `Donation ${request.reference}`,
      metadata: donationMetadata(organization, request),
    },
    customer_email: donor_email,
    // The language of the browser, as on the page that the donor comes from.
    locale: 'auto',
    expires_at: Math.floor(Date.now() / 1000) + CHECKOUT_OPEN_MINUTES * 60,
    success_url: success_url.replaceAll('{REFERENCE}', request.reference),
    cancel_url,
  };
}
