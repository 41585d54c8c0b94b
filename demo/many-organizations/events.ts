import { Connect } from '@connect-embed/client';
import { verifyWebhook, type WebhookEvent } from '@connect-embed/client/webhooks';
import { Hono } from 'hono';
import type { Customers } from './customers.ts';
import type { Config } from './config.ts';

/**
 * Asks the API to send the events of an organization to this platform.
 *
 * @param token an access token of the organization
 * @returns the secret that signs them, which the API shows once
 */
export async function subscribe(config: Config, organizationId: string, token: string) {
  const api = new Connect({ apiBase: config.CONNECT_API_BASE, token });
  const { secret } = await api.webhooks.create({
    url: `${config.PLATFORM_ORIGIN}/events/${organizationId}`,
    events: ['donation.created', 'donation.refunded', 'payout.paid', 'connection.revoked'],
  });
  return secret;
}

/** Receives events. Each organization has its own address and its own secret. */
export const createEvents = (
  customers: Customers,
  onEvent: (customer: string, event: WebhookEvent) => Promise<void>,
) =>
  new Hono().post('/:organization', async (c) => {
    const customer = customers.ofOrganization(c.req.param('organization'));
    if (!customer?.event_secret) return c.text('Not connected.', 410);
    let event: WebhookEvent;
    try {
      event = verifyWebhook(await c.req.text(), c.req.header(), customer.event_secret);
    } catch {
      return c.text('The signature does not match.', 400);
    }
    await onEvent(customer.id, event);
    return c.body(null, 204);
  });
