import {
  ConnectClient,
  type Donation,
  type EventType,
  type WebhookEndpointWithSecret,
} from '@connect-embed/contract';
import { createCaller } from './api-request.ts';
import type { Addresses } from './system.ts';
import { createProcessorClient } from './processor.ts';

type ApiAccess = Pick<Addresses, 'api_base' | 'api_key' | 'sandbox'>;

/** Donations of one donor in the API; tests use a separate email address for each donor. */
export async function donationsOf(system: ApiAccess, email: string): Promise<Donation[]> {
  const client = new ConnectClient({ apiBase: system.api_base, token: system.api_key });
  const { data } = await client.list('donations', { limit: 100 });
  return data.filter(({ donor_email }) => donor_email === email);
}

/** Payment intents of one donor at the processor, in any state. */
export async function intentsOf(system: ApiAccess, email: string) {
  const intents = await createProcessorClient(system).intents();
  return intents.filter(({ receipt_email, metadata }) =>
    [receipt_email, metadata['donor_email']].includes(email),
  );
}

/** Creates a webhook endpoint. */
export async function createWebhookEndpoint(
  system: ApiAccess,
  url: string,
  events: readonly EventType[] = ['donation.created'],
) {
  const call = createCaller(system.api_base);
  const body = { url, events };
  const response = await call({ path: '/webhooks', body, token: system.api_key });
  const text = await response.text();
  if (response.status !== 201) throw new Error(`POST /webhooks: ${response.status} ${text}`);
  const { id, secret } = JSON.parse(text) as WebhookEndpointWithSecret;
  const path = `/webhooks/${id}`;
  return { id, secret, remove: () => call({ method: 'DELETE', path, token: system.api_key }) };
}
