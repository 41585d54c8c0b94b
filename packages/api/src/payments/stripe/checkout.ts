import { CheckoutSession, ConnectError } from '@connect-embed/contract';
import type Stripe from 'stripe';
import type { PayableOrganization } from '../../http/credential-organization.ts';
import type { Client } from './client.ts';
import { isMissing } from './errors.ts';
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
    return toCheckoutSession(session, request.reference);
  },

  /**
   * Loads a Checkout session.
   *
   * @returns undefined if the organization has no such session
   * @throws {ConnectError} `unavailable` if Stripe fails
   */
  async retrieveCheckoutSession(
    { stripe, callStripe }: Client,
    organization: PayableOrganization,
    id: string,
  ): Promise<CheckoutSession | undefined> {
    const stripeAccount = organization.processorAccountId;
    try {
      const session = await callStripe(() =>
        stripe.checkout.sessions.retrieve(id, {}, { stripeAccount }),
      );
      // The account may have sessions of other programs.
      const { organization_id, reference } = session.metadata ?? {};
      const isOurs = organization_id === organization.id && reference !== undefined;
      return isOurs ? toCheckoutSession(session, reference) : undefined;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
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

function toCheckoutSession(
  { id, status, url, expires_at }: Stripe.Checkout.Session,
  reference: string,
): CheckoutSession {
  return {
    id,
    object: 'checkout_session',
    status: CheckoutSession.shape.status.catch('expired').parse(status),
    url: status === 'open' ? url : null,
    expires_at: new Date(expires_at * 1000).toISOString(),
    reference,
  };
}

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
    metadata: { organization_id: organization.id, reference: request.reference },
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
