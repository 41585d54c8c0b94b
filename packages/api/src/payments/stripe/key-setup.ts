import { invalidRequest } from '@connect-embed/contract';
import Stripe from 'stripe';
import { toState, type AccountState } from './accounts.ts';
import { callStripe, createClient, type Client } from './client.ts';
import { isRefusal } from './errors.ts';
import { KEY_PERMISSIONS } from './key-permissions.ts';
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
export const keySetup = ({ config }: Client) => ({
  /**
   * Checks that Stripe accepts both keys, that a restricted key has the permissions that donations need,
   * and that both belong to one account and mode.
   *
   * Stripe does not say which account a publishable key belongs to. Therefore a setup intent is created
   * with the secret key, which charges nothing, and read with the publishable key. An account that cannot
   * take payments yet cannot create one; its publishable key is then checked only for its mode.
   *
   * @returns the state of the account
   * @throws {ConnectError} `invalid_request` naming `secret_key` or `publishable_key`; `unavailable`
   */
  async verifyKeys(keys: Keys): Promise<AccountState> {
    const secret = clientFor(config, keys.secretKey);
    if (keys.secretKey.startsWith('rk_')) await requirePermissions(secret);
    const account = await callStripe(() =>
      secret.stripe.accounts.retrieveCurrent().then(toState).catch(rejectSecretKey),
    );
    if (account.chargesEnabled) await verifyPublishableKey(config, secret, keys.publishableKey);
    return account;
  },

  /**
   * Creates the webhook endpoint of an organization's own account.
   *
   * @throws {ConnectError} with Stripe's error as its cause: a refusal if the key has no permission, or
   *   Stripe cannot reach the URL
   */
  async createWebhookEndpoint(
    secretKey: string,
    { url, types }: { url: string; types: string[] },
  ): Promise<CreatedEndpoint> {
    const { stripe } = clientFor(config, secretKey);
    const { id, secret } = await callStripe(() =>
      stripe.webhookEndpoints.create({
        url,
        enabled_events: types as Stripe.WebhookEndpointCreateParams.EnabledEvent[],
        api_version: Stripe.API_VERSION as Stripe.WebhookEndpointCreateParams.ApiVersion,
        description: 'Connect',
      }),
    );
    return { id, secret: secret! };
  },

  async deleteWebhookEndpoint(secretKey: string, id: string): Promise<void> {
    const { stripe } = clientFor(config, secretKey);
    await callStripe(() => stripe.webhookEndpoints.del(id));
  },
});

/** Creates a client that makes all calls with one key. */
const clientFor = ({ address, scriptUrl, livemode }: Client['config'], secretKey: string): Client =>
  createClient({
    ...(address && { address }),
    scriptUrl,
    livemode,
    platform: { secretKey, publishableKey: '', webhookSecret: '' },
  });

/** @throws {ConnectError} `invalid_request` naming `secret_key` and the permissions that it lacks */
async function requirePermissions({ stripe }: Client): Promise<void> {
  const errors = await Promise.all(
    KEY_PERMISSIONS.map(({ probe }) =>
      callStripe(() => probe(stripe).then(() => undefined, permissionError)),
    ),
  );
  const missing = KEY_PERMISSIONS.filter((_, index) => errors[index]);
  if (missing.length === 0) return;
  const names = missing.map(({ name, access }) => `${name} (${access})`).join(', ');
  const problem = `lacks these permissions: ${names}. Add them to the restricted key at Stripe, or use the secret key.`;
  throw invalidRequest('secret_key', problem, { cause: errors.find(Boolean) });
}

/** Returns undefined for another refusal, which comes after the check of the permission. */
function permissionError(error: unknown): Error | undefined {
  if (error instanceof StripePermissionError) return error;
  return isRefusal(error) ? undefined : rejectSecretKey(error);
}

async function verifyPublishableKey(
  config: Client['config'],
  secret: Client,
  publishableKey: string,
): Promise<void> {
  const { id, client_secret } = await callStripe(() =>
    secret.stripe.setupIntents
      .create({ usage: 'off_session', automatic_payment_methods: { enabled: true } })
      .catch(rejectSecretKey),
  );
  const browser = clientFor(config, publishableKey);
  try {
    await callStripe(() =>
      browser.stripe.setupIntents
        .retrieve(id, { client_secret: client_secret! })
        .catch(rejectPublishableKey),
    );
  } finally {
    await callStripe(() => secret.stripe.setupIntents.cancel(id)).catch(() => {});
  }
}

function rejectSecretKey(cause: unknown): never {
  if (cause instanceof StripeAuthenticationError) {
    throw invalidRequest('secret_key', 'was not accepted by Stripe. Copy it again.', { cause });
  }
  if (isRefusal(cause)) throw refused('secret_key', cause);
  throw cause;
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
  if (!isRefusal(cause)) throw cause;
  const problem = 'belongs to another Stripe account than the secret key.';
  throw invalidRequest('publishable_key', problem, { cause });
}
