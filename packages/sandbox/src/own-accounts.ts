/**
 * Accounts that are used with their own keys instead of through the platform of the sandbox. Any key
 * such as `sk_test_own_garden` is valid: the last part names the account.
 */
const OWN_KEY = /^([srp]k)_test_own_(\w{1,40})$/;
const PREFIX = 'acct_own_';

/** A key of the simulated Stripe API. */
export interface ApiKey {
  kind: 'secret' | 'restricted' | 'publishable';
  /** The account that the key belongs to. */
  account: string;
}

const KINDS = { sk: 'secret', rk: 'restricted', pk: 'publishable' } as const;

/** @returns undefined if the text is not the key of such an account */
export function parseOwnKey(key: string): ApiKey | undefined {
  const [, prefix, name] = OWN_KEY.exec(key) ?? [];
  if (!prefix || !name) return undefined;
  return { kind: KINDS[prefix as keyof typeof KINDS], account: PREFIX + name };
}

export const isOwnAccount = (account: string) => account.startsWith(PREFIX);
