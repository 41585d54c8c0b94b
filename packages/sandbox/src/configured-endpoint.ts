import type { Books } from './books.ts';
import { API_VERSION, type WebhookEndpoint } from './wire.ts';

/** The address that the sandbox was started with; it gets every event of every account. */
export const CONFIGURED = 'we_configured';

/** Lists it among the endpoints, as whoever asks which addresses are told expects. */
export function listConfigured(books: Books, url: string) {
  const [known] = books.all('webhook_endpoint', { fields: { id: CONFIGURED } });
  if (known) books.remove(known);
  if (!url) return;
  books.add<WebhookEndpoint>({
    id: CONFIGURED,
    object: 'webhook_endpoint',
    api_version: API_VERSION,
    application: 'ca_sandbox',
    created: books.now(),
    description: 'SANDBOX_WEBHOOK_URL',
    enabled_events: ['*'],
    livemode: false,
    metadata: {},
    status: 'enabled',
    url,
  });
}
