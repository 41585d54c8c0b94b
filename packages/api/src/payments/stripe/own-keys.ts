import Stripe from 'stripe';
import type { Client } from './client.ts';

/** The keys of an organization that uses its own Stripe account without a platform. */
export interface OwnKeys {
  secretKey: string;
  publishableKey: string;
  livemode: boolean;
}

/**
 * Finds the own keys of a Stripe account.
 *
 * @returns undefined if the account is used through the platform
 * @throws {ConnectError} `unavailable` if the stored keys cannot be read
 */
export type FindOwnKeys = (account: string) => Promise<OwnKeys | undefined>;

/** What a page needs to open Stripe.js for an account. */
interface BrowserKeys {
  publishable_key: string;
  /** Null for an account with own keys, whose publishable key already names the account. */
  stripe_account_id: string | null;
  livemode: boolean;
}

/** Part of the processor client: the keys with which the browser pays to an account. */
export const browserKeys = {
  async browserKeysOf({ config, findOwnKeys }: Client, account: string): Promise<BrowserKeys> {
    const own = await findOwnKeys(account);
    return {
      publishable_key: own?.publishableKey ?? config.platform?.publishableKey ?? '',
      stripe_account_id: own ? null : account,
      livemode: own?.livemode ?? config.livemode,
    };
  },
};

type HttpClient = Stripe.HttpClient;

/**
 * Creates the HTTP client of the `stripe` package. A request for an account with own keys is sent with
 * its secret key and without `Stripe-Account`; any other request with the key of the platform.
 *
 * Every call names its account already, so this is the only place that distinguishes the two.
 *
 * @param hasPlatform false if only organizations with own keys can take donations
 */
export function createHttpClient(findOwnKeys: FindOwnKeys, hasPlatform: boolean): HttpClient {
  const http = Stripe.createNodeHttpClient();
  const makeRequest: HttpClient['makeRequest'] = async (
    host,
    port,
    path,
    method,
    headers,
    ...rest
  ) => {
    const { 'Stripe-Account': account, ...ownHeaders } = headers;
    const own = account ? await findOwnKeys(String(account)) : undefined;
    if (!own && !hasPlatform) throw new Error('No Stripe keys are stored for this account.');
    const sent = own ? { ...ownHeaders, Authorization: `Bearer ${own.secretKey}` } : headers;
    return await http.makeRequest(host, port, path, method, sent, ...rest);
  };
  return { getClientName: () => http.getClientName(), makeRequest };
}
