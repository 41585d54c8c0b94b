import { callStripe, listAll, type Client } from './client.ts';

/** A webhook endpoint of our platform account at Stripe. */
export interface StripeWebhookEndpoint {
  url: string;
  enabled: boolean;
  types: string[];
  /**
   * True if the endpoint receives events of connected accounts, false if it receives events of our
   * own account.
   */
  connected: boolean;
}

/** Part of the processor client: checks for `connect-embed doctor`. */
export const health = ({ stripe }: Client) => ({
  /** Returns the time of Stripe's server, from a request that every secret key may make. */
  async getServerTime(): Promise<Date> {
    const balance = await callStripe(() => stripe.balance.retrieve());
    return new Date(String(balance.lastResponse.headers['date']));
  },

  async listWebhookEndpoints(): Promise<StripeWebhookEndpoint[]> {
    const endpoints = await listAll((pageParams) => stripe.webhookEndpoints.list(pageParams));
    return endpoints.map(({ url, status, enabled_events, application }) => ({
      url,
      enabled: status === 'enabled',
      types: enabled_events,
      connected: application !== null,
    }));
  },
});
