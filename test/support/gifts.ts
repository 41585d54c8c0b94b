import {
  ConnectClient,
  type Donation,
  type WebhookEndpointWithSecret,
} from '@connect-embed/contract';
import { caller } from './call.ts';
import type { Addresses } from './house.ts';
import { openProcessor } from './processor.ts';

type Where = Pick<Addresses, 'api_base' | 'api_key' | 'sandbox'>;

/** Donations of one donor as the API has them; tests give each donor an address of their own. */
export async function donationsOf(house: Where, email: string): Promise<Donation[]> {
  const client = new ConnectClient({ apiBase: house.api_base, token: house.api_key });
  const { data } = await client.list('donations', { limit: 100 });
  return data.filter(({ donor_email }) => donor_email === email);
}

/** The processor's intents of one donor, whatever became of them. */
export async function intentsOf(house: Where, email: string) {
  const intents = await openProcessor(house).intents();
  return intents.filter(({ receipt_email, metadata }) =>
    [receipt_email, metadata['donor_email']].includes(email),
  );
}

/** Asks the API to tell an address of every gift, as a platform would. */
export async function subscribe(house: Where, url: string) {
  const call = caller(house.api_base);
  const body = { url, events: ['donation.created'] };
  const answer = await call({ path: '/webhooks', body, token: house.api_key });
  const told = await answer.text();
  if (answer.status !== 201) throw new Error(`POST /webhooks: ${answer.status} ${told}`);
  const { id, secret } = JSON.parse(told) as WebhookEndpointWithSecret;
  const path = `/webhooks/${id}`;
  return { secret, remove: () => call({ method: 'DELETE', path, token: house.api_key }) };
}
