import type { Client } from './client.ts';

/** An address that the processor sends events to. */
export interface StripeWebhookEndpoint {
  url: string;
  enabled: boolean;
  types: string[];
  /** Also told what happens at connected accounts; an endpoint is for those, or for the own one. */
  connected: boolean;
}

/** Whether the processor knows us, and how it reaches us. */
export const health = ({ stripe, call, listAll }: Client) => ({
  /** Asks something that every key may ask. @returns the processor's own time */
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
