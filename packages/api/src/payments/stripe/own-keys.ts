import Stripe from 'stripe';

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

/** Called with own keys that Stripe did not accept, because they were revoked or have expired. */
export type OnKeysRejected = (account: string, keys: OwnKeys) => Promise<void>;

type HttpClient = Stripe.HttpClient;

/**
 * Creates the HTTP client of the `stripe` package. A request for an account with own keys is sent with
 * its secret key and without `Stripe-Account`; any other request with the key of the platform.
 *
 * Every call names its account already, so this is the only place that distinguishes the two.
 *
 * @param hasPlatform false if only organizations with own keys can take donations
 */
export function createHttpClient(
  findOwnKeys: FindOwnKeys,
  onKeysRejected: OnKeysRejected,
  hasPlatform: boolean,
): HttpClient {
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
    const response = await http.makeRequest(host, port, path, method, sent, ...rest);
    if (own && response.getStatusCode() === 401) await onKeysRejected(String(account), own);
    return response;
  };
  return { getClientName: () => http.getClientName(), makeRequest };
}
