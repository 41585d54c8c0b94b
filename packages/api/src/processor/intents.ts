import {
  ConnectError,
  currencyStep,
  invalidRequest,
  type PaymentIntent,
} from '@connect-embed/contract';
import type { CredentialOrganization, PayableOrganization } from '../auth/organization.ts';
import type { ProcessorConfig } from '../config.ts';
import type { Client } from './client.ts';
import { ignoreCode } from './errors.ts';
import { retryWithNewKey } from './retry-with-new-key.ts';

/** A gift as the processor is asked to take it. */
export interface IntentRequest {
  amount_cents: number;
  fund_id?: string | undefined;
  campaign_id?: string | undefined;
  donor_name?: string | undefined;
  donor_email?: string | undefined;
  fee_cover_cents?: number | undefined;
  /** What the donor or the caller adds; it never overrides what we know. */
  metadata?: Record<string, string> | undefined;
  source: 'embed' | 'api';
  source_id: string;
  /** Names the donation to people: docs/decisions/0086-references.md */
  reference: string;
  /** The same for every attempt at the same gift, in whatever process: it opens one intent. */
  idempotencyKey: string;
}

/** Gifts that are begun. */
export const intents = ({ stripe, call }: Client, { publishableKey }: ProcessorConfig) => ({
  /**
   * Opens an intent on the organization's own account; the browser confirms it.
   *
   * @throws {ConnectError} `invalid_request` for an amount that the processor does not take,
   * `conflict` for a key used with another gift, `unavailable` when the processor fails
   */
  async createPaymentIntent(
    organization: PayableOrganization,
    request: IntentRequest,
  ): Promise<PaymentIntent> {
    const { currency, processorAccountId } = organization;
    requireCurrencyStep(currency, request.amount_cents);
    const params = {
      amount: request.amount_cents,
      currency,
      automatic_payment_methods: { enabled: true },
      description: `Donation ${request.reference}`,
      metadata: donationMetadata(organization, request),
    };
    const intent = await retryWithNewKey(request.idempotencyKey, (idempotencyKey) =>
      call(() =>
        stripe.paymentIntents.create(params, { stripeAccount: processorAccountId, idempotencyKey }),
      ),
    );
    if (!intent.client_secret) {
      throw new ConnectError('unavailable', 'The card processor sent no client secret.');
    }
    return {
      object: 'payment_intent',
      payment_intent_id: intent.id,
      client_secret: intent.client_secret,
      publishable_key: publishableKey,
      stripe_account_id: processorAccountId,
      reference: request.reference,
    };
  },

  /** Writes a donation's reference into its metadata; a repetition changes nothing. */
  async setReference(id: string, reference: string, stripeAccount: string): Promise<void> {
    await call(() =>
      stripe.paymentIntents.update(id, { metadata: { reference } }, { stripeAccount }),
    );
  },

  /** Takes no further card on it. One that has been paid, or is being, stays as it is. */
  async cancelPaymentIntent(id: string, stripeAccount: string): Promise<void> {
    await call(async () => {
      await stripe.paymentIntents
        .cancel(id, { cancellation_reason: 'abandoned' }, { stripeAccount })
        .catch(ignoreCode('payment_intent_unexpected_state'));
    });
  },
});

/** @throws {ConnectError} `invalid_request` for an amount that the currency does not have */
export function requireCurrencyStep(currency: string, amountCents: number): void {
  const step = currencyStep(currency);
  if (amountCents % step) {
    throw invalidRequest('amount_cents', `must be a multiple of ${step} in ${currency}.`);
  }
}

/** What the event brings back, so that a gift can be recorded even if we forgot that we asked. */
export function donationMetadata(organization: CredentialOrganization, request: IntentRequest) {
  const { fund_id, campaign_id, donor_name, donor_email, source, source_id, reference } = request;
  const fee_cover_cents = request.fee_cover_cents ? String(request.fee_cover_cents) : undefined;
  const all = {
    ...{ fund_id, campaign_id, donor_name, donor_email, fee_cover_cents, source, source_id },
    reference,
  };
  const known = Object.entries(all).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  const { metadata } = request;
  return { ...metadata, organization_id: organization.id, ...Object.fromEntries(known) };
}
