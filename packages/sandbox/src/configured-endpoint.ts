import type { Ledger } from './ledger.ts';
import { CONFIGURED_ENDPOINT_ID } from './outbox.ts';
import { API_VERSION, type WebhookEndpoint } from './stripe-types.ts';

/**
 * Adds the configured endpoint to the list of the simulated Stripe API (`/v1/webhook_endpoints`),
 * for programs that check the list.
 */
export function syncConfiguredEndpoint(ledger: Ledger, url: string) {
  const [existing] = ledger.listAll('webhook_endpoint', { fields: { id: CONFIGURED_ENDPOINT_ID } });
  if (existing) ledger.remove(existing);
  if (!url) return;
  ledger.add<WebhookEndpoint>({
    id: CONFIGURED_ENDPOINT_ID,
    object: 'webhook_endpoint',
    api_version: API_VERSION,
    application: 'ca_sandbox',
    created: ledger.now(),
    description: 'SANDBOX_WEBHOOK_URL',
    enabled_events: ['*'],
    livemode: false,
    metadata: {},
    status: 'enabled',
    url,
  });
}
