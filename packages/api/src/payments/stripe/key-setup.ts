import { ConnectError, invalidRequest } from '@connect-embed/contract';
import Stripe from 'stripe';
import { toState, type AccountState } from './accounts.ts';
import { createClient, type Client } from './client.ts';
import type { OwnKeys } from './own-keys.ts';

type Keys = Pick<OwnKeys, 'secretKey' | 'publishableKey'>;

/** A webhook endpoint at Stripe, with the secret that Stripe reveals only when it is created. */
interface CreatedEndpoint {
  id: string;
  secret: string;
}

const { StripeAuthenticationError, StripePermissionError, StripeInvalidRequestError } =
  Stripe.errors;

/**
 * Part of the processor client: the setup of an organization's own Stripe keys. These calls are made
 * with keys that are not stored yet.
 */
export const keySetup = {
  /**
   * Checks that Stripe accepts both keys, and that they belong to one account and mode.
   *
   * Stripe does not say which account a publishable key belongs to. Therefore a setup intent is created
   * with the secret key, which charges nothing, and read with the publishable key. An account that cannot
   * take payments yet cannot create one; its publishable key is then checked only for its mode.
   *
   * @returns the state of the account
   * @throws {ConnectError} `invalid_request` naming `secret_key` or `publishable_key`; `unavailable`
   */
  async verifyKeys({ config }: Client, keys: Keys): Promise<AccountState> {
    const secret = clientFor(config, keys.secretKey);
    const account = await secret.callStripe(() =>
      secret.stripe.accounts.retrieveCurrent().then(toState).catch(rejectSecretKey),
    );
    if (account.chargesEnabled) await verifyPublishableKey(config, secret, keys.publishableKey);
    return account;
  },

  /**
   * Creates the webhook endpoint of an organization's own account.
   *
   * @returns undefined if the key has no permission for it, or Stripe cannot reach the URL
   */
  async createWebhookEndpoint(
    { config }: Client,
    secretKey: string,
    { url, types }: { url: string; types: string[] },
  ): Promise<CreatedEndpoint | undefined> {
    const { stripe, callStripe } = clientFor(config, secretKey);
    const params: Stripe.WebhookEndpointCreateParams = {
      url,
      enabled_events: types as Stripe.WebhookEndpointCreateParams.EnabledEvent[],
      api_version: Stripe.API_VERSION as Stripe.WebhookEndpointCreateParams.ApiVersion,
      description: 'Connect',
    };
    return await callStripe(() =>
      stripe.webhookEndpoints
        .create(params)
        .then(({ id, secret }) => ({ id, secret: secret! }))
        .catch((error: unknown) => {
          if (isRefusal(error)) return undefined;
          throw error;
        }),
    );
  },

  /**
   * Deletes a webhook endpoint.
   *
   * @returns false if the key may not do that, or the endpoint is gone
   */
  async deleteWebhookEndpoint({ config }: Client, secretKey: string, id: string): Promise<boolean> {
    const { stripe, callStripe } = clientFor(config, secretKey);
    return await callStripe(() =>
      stripe.webhookEndpoints
        .del(id)
        .then(() => true)
        .catch((error: unknown) => {
          if (isRefusal(error) || error instanceof StripeAuthenticationError) return false;
          throw error;
        }),
    );
  },
};

const isRefusal = (error: unknown) =>
  error instanceof StripePermissionError || error instanceof StripeInvalidRequestError;

/** Creates a client that makes all calls with one key. */
const clientFor = ({ address, scriptUrl, livemode }: Client['config'], secretKey: string): Client =>
  createClient(
    {
      ...(address && { address }),
      scriptUrl,
      livemode,
      platform: { secretKey, publishableKey: '', webhookSecret: '' },
    },
    async () => undefined,
  );

async function verifyPublishableKey(
  config: Client['config'],
  secret: Client,
  publishableKey: string,
): Promise<void> {
  const { id, client_secret } = await secret.callStripe(() =>
    secret.stripe.setupIntents
      .create({ usage: 'off_session', automatic_payment_methods: { enabled: true } })
      .catch(rejectSecretKey),
  );
  const browser = clientFor(config, publishableKey);
  try {
    await browser.callStripe(() =>
      browser.stripe.setupIntents
        .retrieve(id, { client_secret: client_secret! })
        .catch(rejectPublishableKey),
    );
  } finally {
    await secret.callStripe(() => secret.stripe.setupIntents.cancel(id)).catch(() => {});
  }
}

function rejectSecretKey(cause: unknown): never {
  if (cause instanceof StripeAuthenticationError) {
    throw invalidRequest('secret_key', 'was not accepted by Stripe. Copy it again.', { cause });
  }
  if (cause instanceof StripeInvalidRequestError) throw refused('secret_key', cause);
  if (!(cause instanceof StripePermissionError)) throw cause;
  const problem =
    'does not have the permissions that donations need. Use the secret key, or give the restricted key write access to all core, billing and Connect resources.';
  throw invalidRequest('secret_key', problem, { cause });
}

/** The key is valid, but Stripe refuses what is done with it. Only Stripe knows why. */
const refused = (param: string, cause: Error) =>
  invalidRequest(param, `cannot be used. Stripe says: ${cause.message}`, { cause });

function rejectPublishableKey(cause: unknown): never {
  if (cause instanceof StripeAuthenticationError) {
    throw invalidRequest('publishable_key', 'was not accepted by Stripe. Copy it again.', {
      cause,
    });
  }
  if (cause instanceof StripeInvalidRequestError && cause.code !== 'resource_missing')
    throw refused('publishable_key', cause);
  if (cause instanceof ConnectError || !isRefusal(cause)) throw cause;
  const problem = 'belongs to another Stripe account than the secret key.';
  throw invalidRequest('publishable_key', problem, { cause });
}
