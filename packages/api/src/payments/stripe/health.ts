import type { Client } from './client.ts';

/** A webhook endpoint of our platform account at Stripe. */
export interface StripeWebhookEndpoint {
  url: string;
  enabled: boolean;
  types: string[];
  /**
   * True if it receives events of connected accounts. An endpoint receives those or our own
   * account's.
   */
  connected: boolean;
}

/** Part of the processor client: checks for `connect doctor`. */
export const health = ({ stripe, call, listAll }: Client) => ({
  /** Makes a call that every secret key may make. @returns Stripe's time */
  async getServerTime(): Promise<Date> {
    const balance = await call(() => stripe.balance.retrieve());
    return new Date(String(balance.lastResponse.headers['date']));
  },

  async listWebhookEndpoints(): Promise<StripeWebhookEndpoint[]> {
    const all = await listAll((after) => stripe.webhookEndpoints.list(after));
    return all.map(({ url, status, enabled_events, application }) => ({
      url,
      enabled: status === 'enabled',
      types: enabled_events,
      connected: application !== null,
    }));
  },
});
