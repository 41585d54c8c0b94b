import { setTimeout as sleep } from 'node:timers/promises';
import {
  ConnectError,
  currencyStep,
  invalidRequest,
  type PaymentIntent,
} from '@connect-embed/contract';
import Stripe from 'stripe';
import type { CredentialOrganization } from './auth/organization.ts';
import type { ProcessorConfig } from './config.ts';

/** One attempt, and the one repetition of it, fit into the ten seconds that callers wait. */
const TIMEOUT_MS = 4_500;
const NETWORK_RETRIES = 1;
/** Waits before a call that the processor refused with 429 is made again; stripe never does. */
const BACK_OFF_MS = [150, 400, 900];
/** How far a signature's time may be from ours, to either side. */
const SIGNATURE_TOLERANCE_SECONDS = 300;

/** A gift as the processor is asked to take it. */
export interface IntentRequest {
  amount_cents: number;
  fund_id?: string | undefined;
  campaign_id?: string | undefined;
  donor_name?: string | undefined;
  donor_email?: string | undefined;
  source: 'embed' | 'api';
  source_id: string;
  /** The same for every attempt at the same gift, in whatever process: it opens one intent. */
  idempotencyKey: string;
}

/** What the processor says of a gift that has been paid. */
export interface PaidGift {
  paymentIntentId: string;
  amountCents: number;
  currency: string;
  /** Null while the processor has not settled it, or settles in another currency. */
  feeCents: number | null;
  metadata: Record<string, string>;
}

export type Processor = ReturnType<typeof openProcessor>;

/**
 * The card processor: the official client of Stripe, and nothing else. Without Stripe keys it is
 * pointed at the sandbox; no line here knows: docs/decisions/0011-one-processor-client.md
 */
export function openProcessor(config: ProcessorConfig) {
  const { publishableKey, scriptUrl, livemode } = config;
  const stripe = new Stripe(config.secretKey, {
    ...config.address,
    timeout: TIMEOUT_MS,
    maxNetworkRetries: NETWORK_RETRIES,
    telemetry: false,
  });
  return {
    publishableKey,
    scriptUrl,
    livemode,

    /**
     * Opens an intent on the organization's own account; the browser confirms it.
     *
     * @throws {ConnectError} `invalid_request` for an amount that the processor does not take,
     * `conflict` for a key used with another gift, `unavailable` when the processor fails
     */
    async createPaymentIntent(
      organization: CredentialOrganization,
      request: IntentRequest,
    ): Promise<PaymentIntent> {
      const { currency, processorAccountId } = organization;
      if (request.amount_cents % currencyStep(currency)) {
        throw invalidRequest('amount_cents', `the last digit must be 0 in ${currency}.`);
      }
      const intent = await call(() =>
        stripe.paymentIntents.create(
          {
            amount: request.amount_cents,
            currency,
            automatic_payment_methods: { enabled: true },
            metadata: metadataOf(organization, request),
          },
          { stripeAccount: processorAccountId, idempotencyKey: request.idempotencyKey },
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
      };
    },

    /**
     * Asks for a gift that an event calls paid, with the fee that no event carries.
     *
     * @throws {ConnectError} `unavailable` when the processor fails, or does not call it paid
     */
    async retrievePaidGift(paymentIntentId: string, account: string): Promise<PaidGift> {
      const intent = await call(() =>
        stripe.paymentIntents.retrieve(
          paymentIntentId,
          { expand: ['latest_charge.balance_transaction'] },
          { stripeAccount: account },
        ),
      );
      if (intent.status !== 'succeeded') {
        throw new ConnectError('unavailable', `The processor calls ${intent.id} ${intent.status}.`);
      }
      return {
        paymentIntentId: intent.id,
        amountCents: intent.amount_received,
        currency: intent.currency,
        feeCents: feeOf(intent),
        metadata: intent.metadata,
      };
    },

    /**
     * Reads an event that the processor sent, once its signature has been checked.
     *
     * @throws {ConnectError} `invalid_request` naming `Stripe-Signature`
     */
    async readEvent(body: string, signature: string): Promise<Stripe.Event> {
      // stripe checks only that a signature is not too old.
      const signedAt = Number(/(?:^|,)t=(\d+)/.exec(signature)?.[1]);
      if (!(signedAt <= Date.now() / 1000 + SIGNATURE_TOLERANCE_SECONDS)) {
        throw invalidRequest('Stripe-Signature', 'is missing, malformed or from the future.');
      }
      try {
        return await stripe.webhooks.constructEventAsync(
          body,
          signature,
          config.webhookSecret,
          SIGNATURE_TOLERANCE_SECONDS,
        );
      } catch (cause) {
        const problem = 'does not match the body, or is too old.';
        throw new ConnectError('invalid_request', `Stripe-Signature: ${problem}`, { cause });
      }
    },
  };
}

/** What the event brings back, so that a gift can be recorded even if we forgot that we asked. */
function metadataOf(organization: CredentialOrganization, request: IntentRequest) {
  const { fund_id, campaign_id, donor_name, donor_email, source, source_id } = request;
  const all = { fund_id, campaign_id, donor_name, donor_email, source, source_id };
  const known = Object.entries(all).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return { organization_id: organization.id, ...Object.fromEntries(known) };
}

function feeOf({ latest_charge: charge, currency }: Stripe.PaymentIntent): number | null {
  const transaction = typeof charge === 'object' ? charge?.balance_transaction : null;
  if (!transaction || typeof transaction === 'string') return null;
  return transaction.currency === currency ? transaction.fee : null;
}

async function call<Answer>(attempt: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      const waitMs = BACK_OFF_MS[tries];
      const busy = error instanceof Stripe.errors.StripeRateLimitError;
      if (!busy || waitMs === undefined) throw toConnectError(error);
      await sleep(waitMs * (0.5 + Math.random()));
    }
  }
}

/** Codes that are the caller's to mend, and the field that each is about. */
const CALLER_FAULTS: Record<string, string> = {
  amount_too_small: 'amount_cents',
  amount_too_large: 'amount_cents',
  email_invalid: 'donor_email',
};

/** The processor's words stay in `cause`, for the log: they may tell what is not the caller's. */
function toConnectError(cause: unknown): ConnectError {
  if (cause instanceof Stripe.errors.StripeIdempotencyError) {
    const message = 'Idempotency-Key: was used for another gift.';
    return new ConnectError('conflict', message, { cause });
  }
  const code = cause instanceof Stripe.errors.StripeInvalidRequestError ? cause.code : undefined;
  const field = code && CALLER_FAULTS[code];
  if (field) {
    const message = `${field}: the card processor does not take it (${code}).`;
    return new ConnectError('invalid_request', message, { cause });
  }
  return new ConnectError('unavailable', 'The card processor cannot be reached at the moment.', {
    cause,
    retryAfterSeconds: 2,
  });
}
