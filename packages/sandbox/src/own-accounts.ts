/**
 * Accounts that are used with their own keys instead of through the platform of the sandbox. Any key
 * such as `sk_test_own_garden` is valid: the last part names the account. With `sk_live_own_garden`, the
 * same account has other objects, as in the live mode of Stripe. `rk_test_own_garden_without_payouts` is a
 * restricted key of this account without the permission for `/v1/payouts`.
 */
const OWN_KEY = /^([srp]k)_(test|live)_own_(\w{1,40}?)(?:_without_(\w{1,40}))?$/;
const PREFIX = 'acct_own_';
/** Ends the name of the ledger of the live mode. */
const LIVE = ' live';

/** A key of the simulated Stripe API. */
export interface ApiKey {
  kind: 'secret' | 'restricted' | 'publishable';
  /** The ledger of the account and mode that the key belongs to. */
  account: string;
  /** The path below `/v1` that a restricted key has no permission for. */
  deniedPath?: string | undefined;
}

const KINDS = { sk: 'secret', rk: 'restricted', pk: 'publishable' } as const;

/** @returns undefined if the text is not the key of such an account */
export function parseOwnKey(key: string): ApiKey | undefined {
  const [, prefix, mode, name, deniedPath] = OWN_KEY.exec(key) ?? [];
  if (!prefix || !name) return undefined;
  return {
    kind: KINDS[prefix as keyof typeof KINDS],
    account: PREFIX + name + (mode === 'live' ? LIVE : ''),
    deniedPath,
  };
}

export const isOwnAccount = (account: string) => account.startsWith(PREFIX);

export const isLive = (ledgerAccount: string) => ledgerAccount.endsWith(LIVE);

export const accountIdOf = (ledgerAccount: string) => ledgerAccount.replace(LIVE, '');
