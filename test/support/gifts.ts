import { ConnectClient, type Donation } from '@connect-embed/contract';
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
