import { createHash } from 'node:crypto';
import { ConnectError } from '@connect-embed/contract';
import Stripe from 'stripe';
import type { Client } from './client.ts';
import { retryWithNewKey } from './retry-with-new-key.ts';

/** What an organization's account may do, as the processor tells it. */
export interface AccountState {
  id: string;
  chargesEnabled: boolean;
  payoutsEnabled: boolean;
  detailsSubmitted: boolean;
  disabledReason: string | null;
  /** What the processor still asks for, in its own words. */
  due: string[];
}

export interface NewAccount {
  organizationId: string;
  name: string;
  email: string | null;
  website: string | null;
}

/** Where somebody goes on from, and comes back to. */
export interface OnboardingUrls {
  returnUrl: string;
  /** Asked for when the link has run out. */
  refreshUrl: string;
}

/** The organizations' own accounts. */
export const accounts = ({ stripe, call }: Client) => ({
  /** Asks what an account may do. One that has disconnected itself may nothing. */
  async retrieveAccount(id: string): Promise<AccountState> {
    return await call(() =>
      stripe.accounts
        .retrieve(id)
        .then(toState)
        .catch((error: unknown) => {
          if (error instanceof Stripe.errors.StripePermissionError) return disconnected(id);
          throw error;
        }),
    );
  },

  /**
   * Opens an account that is the organization's own: it pays its fees, carries its losses, and has
   * the processor's own dashboard. The key follows from what is asked for: it gets one account.
   *
   * @throws {ConnectError} `conflict` with what somebody can do about it, `unavailable`
   */
  async createAccount(organization: NewAccount): Promise<AccountState> {
    const { organizationId, name, email, website } = organization;
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
    // What is corrected after a refusal is another request, which a key is not used for twice.
    const paramsHash = createHash('sha256').update(JSON.stringify(params)).digest('hex');
    return await retryWithNewKey(`account of ${organizationId} ${paramsHash}`, (idempotencyKey) =>
      call(() =>
        stripe.accounts.create(params, { idempotencyKey }).then(toState).catch(throwRefusal),
      ),
    );
  },

  /** An address, good for minutes and once, where the processor asks what it has to know. */
  async createOnboardingLink(account: string, urls: OnboardingUrls): Promise<string> {
    const { url } = await call(() =>
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

const { StripeInvalidRequestError, StripePermissionError } = Stripe.errors;
const isRefusal = (error: unknown) =>
  error instanceof StripeInvalidRequestError || error instanceof StripePermissionError;

/** What Stripe does not take when an account is opened, and who can mend it. */
function throwRefusal(cause: unknown): never {
  if (!isRefusal(cause)) throw cause;
  const { code, param, requestId } = cause as Stripe.errors.StripeError;
  throw new ConnectError('conflict', describeRefusal(), { cause });

  function describeRefusal(): string {
    if (param === 'email' || code === 'email_invalid') {
      return 'Stripe does not take your organization’s e-mail address. Correct it under Receipts, and open the account again.';
    }
    if (param?.includes('url') || code === 'url_invalid') {
      return 'Stripe does not take your organization’s website. Ask whoever runs this service to correct it, and open the account again.';
    }
    return `Stripe opens no accounts for this service. Tell whoever runs it: its own Stripe account must be ready for Connect (request ${requestId}).`;
  }
}

function throwAccountClosed(cause: unknown): never {
  if (!isRefusal(cause)) throw cause;
  const message =
    'Stripe asks nothing about this account here: it was disconnected or closed. Look at it at dashboard.stripe.com, and tell whoever runs this service.';
  throw new ConnectError('conflict', message, { cause });
}

const toState = (account: Stripe.Account): AccountState => ({
  id: account.id,
  chargesEnabled: account.charges_enabled,
  payoutsEnabled: account.payouts_enabled,
  detailsSubmitted: account.details_submitted,
  disabledReason: account.requirements?.disabled_reason ?? null,
  due: [
    ...new Set([
      ...(account.requirements?.past_due ?? []),
      ...(account.requirements?.currently_due ?? []),
    ]),
  ],
});

const disconnected = (id: string): AccountState => ({
  id,
  chargesEnabled: false,
  payoutsEnabled: false,
  detailsSubmitted: false,
  disabledReason: 'disconnected',
  due: [],
});
