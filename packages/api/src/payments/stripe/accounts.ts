import { createHash } from 'node:crypto';
import { ConnectError } from '@connect-embed/contract';
import Stripe from 'stripe';
import { callStripe, type Client } from './client.ts';
import { isKeyRejected, isRefusal } from './errors.ts';
import { retryWithNewKey } from './retry-with-new-key.ts';

/** The capabilities and open requirements of an organization's Stripe account. */
export interface AccountState {
  id: string;
  chargesEnabled: boolean;
  payoutsEnabled: boolean;
  detailsSubmitted: boolean;
  disabledReason: string | null;
  /** Stripe's names of the requirements that are past due or currently due. */
  requirementsDue: string[];
  /** The payment methods that are enabled: `PAYMENT_METHOD_TYPES` of the contract, and `link`. */
  paymentMethodTypes: string[];
}

interface NewAccount {
  organizationId: string;
  name: string;
  email: string | null;
  website: string | null;
}

/** Pages of our dashboard to which Stripe's onboarding redirects. */
export interface OnboardingUrls {
  returnUrl: string;
  /** Stripe redirects here when the onboarding link has expired or was used. */
  refreshUrl: string;
}

/** Part of the processor client: the organizations' connected accounts at Stripe. */
export const accounts = ({ stripe, findOwnKeys }: Client) => ({
  /**
   * Fetches the state of an account. An account that is disconnected has no capabilities, nor has one
   * whose own keys were revoked or may no longer read it.
   */
  async retrieveAccount(id: string): Promise<AccountState> {
    const isOwn = (await findOwnKeys(id)) !== undefined;
    return await callStripe(() =>
      (isOwn
        ? stripe.accounts.retrieveCurrent({}, { stripeAccount: id })
        : stripe.accounts.retrieve(id)
      )
        .then(toState)
        .catch((error: unknown) => {
          if (isOwn && isKeyRejected(error)) return inaccessibleState(id, 'keys_rejected');
          if (error instanceof Stripe.errors.StripePermissionError)
            return inaccessibleState(id, 'disconnected');
          throw error;
        }),
    );
  },

  /**
   * Creates a connected account. The account pays Stripe's fees and has the full Stripe dashboard;
   * Stripe, not the platform, is liable for losses that the account cannot cover. The idempotency
   * key is derived from the parameters, so repeated calls create one account.
   *
   * @throws {ConnectError} `conflict` if Stripe rejects the account, with a message for the
   *   organization's owner; `unavailable` if Stripe fails
   */
  async createAccount(account: NewAccount): Promise<AccountState> {
    const { organizationId, name, email, website } = account;
    const params: Stripe.AccountCreateParams = {
      controller: {
        fees: { payer: 'account' },
        losses: { payments: 'stripe' },
        requirement_collection: 'stripe',
        stripe_dashboard: { type: 'full' },
      },
      capabilities: { card_payments: { requested: true }, transfers: { requested: true } },
      business_type: 'non_profit',
      business_profile: { name, ...(website && { url: website }) },
      ...(email && { email }),
      metadata: { organization_id: organizationId },
    };
    // Stripe rejects a key that is reused with other parameters, such as a corrected email
    // address.
    const paramsHash = createHash('sha256').update(JSON.stringify(params)).digest('hex');
    return await retryWithNewKey(`account of ${organizationId} ${paramsHash}`, (idempotencyKey) =>
      callStripe(() =>
        stripe.accounts.create(params, { idempotencyKey }).then(toState).catch(throwRejection),
      ),
    );
  },

  /**
   * Creates a link to Stripe's onboarding pages and returns its URL. The link can be opened once and
   * expires after a few minutes.
   *
   * @throws {ConnectError} `conflict` if the account was disconnected or closed
   */
  async createOnboardingLink(account: string, urls: OnboardingUrls): Promise<string> {
    const { url } = await callStripe(() =>
      stripe.accountLinks
        .create({
          account,
          type: 'account_onboarding',
          return_url: urls.returnUrl,
          refresh_url: urls.refreshUrl,
        })
        .catch(throwAccountClosed),
    );
    return url;
  },
});

/**
 * Converts Stripe's rejection of a new account into a `conflict` whose message says who can correct
 * the cause. Rethrows other errors.
 */
function throwRejection(cause: unknown): never {
  if (!isRefusal(cause)) throw cause;
  const { code, param, requestId } = cause;
  throw new ConnectError('conflict', describeRejection(), { cause });

  function describeRejection(): string {
    if (param === 'email' || code === 'email_invalid') {
      return 'Stripe rejected your organization’s email address. Correct it under Receipts, then open the account again.';
    }
    if (param?.includes('url') || code === 'url_invalid') {
      return 'Stripe rejected your organization’s website. Ask the operator of this service to correct it, then open the account again.';
    }
    return `Stripe did not open an account. Ask the operator of this service to complete the Connect setup of its own Stripe account (request ${requestId}).`;
  }
}

function throwAccountClosed(cause: unknown): never {
  if (!isRefusal(cause)) throw cause;
  const message =
    'This Stripe account is no longer available here: it was disconnected or closed. Check it at dashboard.stripe.com, and contact the operator of this service.';
  throw new ConnectError('conflict', message, { cause });
}

/**
 * Lists the payment methods that an account's capabilities enable.
 *
 * Stripe's reference does not list a capability for PayPal, so PayPal counts as enabled unless the account says
 * otherwise. Stripe leaves it out of a payment without an error if it is not enabled.
 */
function methodTypesOf(account: Stripe.Account): string[] {
  const capabilities = (account.capabilities ?? {}) as Record<string, string | undefined>;
  const { link_payments, paypal_payments = 'active' } = capabilities;
  const { sepa_debit_payments, us_bank_account_ach_payments } = capabilities;
  const states = {
    card: 'active',
    link: link_payments,
    paypal: paypal_payments,
    sepa_debit: sepa_debit_payments,
    us_bank_account: us_bank_account_ach_payments,
  };
  return Object.entries(states).flatMap(([type, state]) => (state === 'active' ? [type] : []));
}

export const toState = (account: Stripe.Account): AccountState => ({
  id: account.id,
  chargesEnabled: account.charges_enabled,
  payoutsEnabled: account.payouts_enabled,
  detailsSubmitted: account.details_submitted,
  disabledReason: account.requirements?.disabled_reason ?? null,
  requirementsDue: [
    ...new Set([
      ...(account.requirements?.past_due ?? []),
      ...(account.requirements?.currently_due ?? []),
    ]),
  ],
  paymentMethodTypes: methodTypesOf(account),
});

/** Returns the state of an account to which there is no access. */
export const inaccessibleState = (
  id: string,
  disabledReason: 'disconnected' | 'keys_rejected',
): AccountState => ({
  id,
  chargesEnabled: false,
  payoutsEnabled: false,
  detailsSubmitted: false,
  disabledReason,
  requirementsDue: [],
  paymentMethodTypes: ['card'],
});
