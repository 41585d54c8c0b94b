import type { Client } from './client.ts';

/** What a page needs to open Stripe.js for an account. */
interface BrowserKeys {
  publishable_key: string;
  /** Null for an account with own keys, whose publishable key already names the account. */
  stripe_account_id: string | null;
  livemode: boolean;
}

/** Part of the processor client: the keys with which the browser pays to an account. */
export const browserKeys = ({ config, findOwnKeys }: Client) => ({
  async browserKeysOf(account: string): Promise<BrowserKeys> {
    const own = await findOwnKeys(account);
    return {
      publishable_key: own?.publishableKey ?? config.platform?.publishableKey ?? '',
      stripe_account_id: own ? null : account,
      livemode: own?.livemode ?? config.livemode,
    };
  },
});
