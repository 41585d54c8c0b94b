/** Connected accounts of the simulated Stripe: their capabilities and onboarding links. */
import type { Ledger } from './ledger.ts';
import { randomText } from './ids.ts';
import { CAPABILITIES } from './capabilities.ts';
import { allCapabilities, newAccount, requirements } from './objects/account.ts';
import { accountIdOf } from './own-accounts.ts';
import { StripeError, invalidParamError } from './stripe-error.ts';
import { type Account, PLATFORM_ACCOUNT } from './stripe-types.ts';

/** Lifetime of an onboarding link. As at Stripe, a link can be used once. */
const LINK_LIFETIME_SECONDS = 5 * 60;

export type AccountLink = {
  token: string;
  return_url: string;
  refresh_url: string;
  expires_at: number;
};

/**
 * Finds an account by its id. An account that was not created in the sandbox counts as complete, so
 * that seed data may contain any account id.
 *
 * @throws {StripeError} 403 for a malformed id
 */
export function findAccount(ledger: Ledger, id: string): Account {
  if (!/^acct_\w{1,60}$/.test(id)) throw accountAccessError(id);
  const platform = ledger.forAccount(PLATFORM_ACCOUNT);
  const existing = platform.listAll('account', { fields: { id } })[0];
  return existing ?? toCompleteAccount(newAccount(ledger.now(), {}, id), ledger.now());
}

/** @throws {StripeError} 400 if charges are not enabled for the account */
export function requireChargesEnabled(ledger: Ledger) {
  if (ledger.account === PLATFORM_ACCOUNT) return;
  if (findAccount(ledger, accountIdOf(ledger.account)).charges_enabled) return;
  throw new StripeError(400, {
    type: 'invalid_request_error',
    message: `Your account cannot currently make charges. To find out why charges are currently disabled, look at the requirements hash on the account object (for ${ledger.account}).`,
  });
}

const toCompleteAccount = (account: Account, now: number): Account => ({
  ...account,
  capabilities: allCapabilities('active'),
  charges_enabled: true,
  details_submitted: true,
  payouts_enabled: true,
  requirements: requirements([]),
  tos_acceptance: { date: now, ip: '127.0.0.1', user_agent: 'Sandbox' },
});

/** The outcomes that a person can choose on the simulated onboarding page. */
export const ONBOARDING_OUTCOMES = {
  complete: (account: Account, now: number) => toCompleteAccount(account, now),
  no_payouts: (account: Account, now: number) => ({
    ...toCompleteAccount(account, now),
    payouts_enabled: false,
    requirements: { ...requirements(['external_account']), disabled_reason: null },
  }),
  review: (account: Account) => ({
    ...account,
    details_submitted: true,
    requirements: {
      ...requirements([]),
      disabled_reason: 'requirements.pending_verification' as const,
      pending_verification: ['individual.verification.document'],
    },
  }),
  restrict: (account: Account) => ({
    ...account,
    capabilities: allCapabilities('inactive'),
    charges_enabled: false,
    payouts_enabled: false,
    requirements: requirements(['individual.verification.document']),
  }),
} satisfies Record<string, (account: Account, now: number) => Account>;

export type OnboardingOutcome = keyof typeof ONBOARDING_OUTCOMES;

/**
 * Saves an account and emits `account.updated` in the account itself, as Stripe does for platforms.
 */
export function changeAccount(ledger: Ledger, account: Account): Account {
  const platform = ledger.forAccount(PLATFORM_ACCOUNT);
  platform.save(account);
  ledger.forAccount(account.id).emit('account.updated', account);
  return account;
}

/**
 * Activates or deactivates a capability of the account of a ledger, as its owner or Stripe does in the Dashboard.
 *
 * @throws {StripeError} 400 for a capability that the sandbox does not know
 */
export function setCapability(ledger: Ledger, name: string, isActive: boolean): Account {
  if (!Object.values<string>(CAPABILITIES).includes(name)) {
    throw invalidParamError('capability', `Invalid capability: ${name}`);
  }
  const account = storeAccount(ledger, findAccount(ledger, accountIdOf(ledger.account)));
  const capabilities = { ...account.capabilities, [name]: isActive ? 'active' : 'inactive' };
  return changeAccount(ledger, { ...account, capabilities });
}

/** Stores an account that is known only by its id. */
function storeAccount(ledger: Ledger, account: Account): Account {
  const platform = ledger.forAccount(PLATFORM_ACCOUNT);
  if (platform.listAll('account', { fields: { id: account.id } }).length) return account;
  return platform.add(account);
}

/** Creates a link to the onboarding page of an account. @returns Stripe's `account_link` */
export function createAccountLink(
  ledger: Ledger,
  id: string,
  urls: Pick<AccountLink, 'return_url' | 'refresh_url'>,
) {
  storeAccount(ledger, findAccount(ledger, id));
  const platform = ledger.forAccount(PLATFORM_ACCOUNT);
  const link: AccountLink = {
    ...urls,
    token: randomText(24),
    expires_at: ledger.now() + LINK_LIFETIME_SECONDS,
  };
  platform.setHidden(id, { link });
  return {
    object: 'account_link',
    created: ledger.now(),
    expires_at: link.expires_at,
    url: `${ledger.url}/onboarding/${id}/${link.token}`,
  };
}

/**
 * @throws {StripeError} 400 for an unknown link; whether the link has expired is checked by the
 *   caller
 */
export function findAccountLink(
  ledger: Ledger,
  id: string,
  token: string,
): { account: Account; link: AccountLink } {
  const { link } = ledger.hidden<{ link: AccountLink }>(id);
  if (!link || link.token !== token) throw invalidParamError('link', 'This link does not exist.');
  return { account: findAccount(ledger, id), link };
}

const accountAccessError = (id: string) =>
  new StripeError(403, {
    type: 'invalid_request_error',
    code: 'account_invalid',
    message: `The provided key does not have access to account '${id.slice(0, 70)}' (or that account does not exist).`,
  });
