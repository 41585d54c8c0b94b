import { newId } from '../ids.ts';
import { CAPABILITIES } from '../capabilities.ts';
import type { Account } from '../stripe-types.ts';

type AccountInput = Partial<Pick<Account, 'business_type' | 'email' | 'metadata' | 'type'>> & {
  business_profile?: Partial<NonNullable<Account['business_profile']>>;
};

/** Requirements that an organization has to complete on the onboarding page. */
const INITIAL_REQUIREMENTS = ['business_profile.url', 'external_account', 'tos_acceptance.date'];

/** Creates a connected account in Stripe's format, before its onboarding. */
export function newAccount(created: number, input: AccountInput, id = newId('acct')): Account {
  const { business_profile, ...own } = input;
  return {
    id,
    object: 'account',
    business_profile: businessProfile(business_profile),
    business_type: 'non_profit',
    capabilities: allCapabilities('inactive'),
    charges_enabled: false,
    controller: CONTROLLER,
    country: 'US',
    created,
    default_currency: 'usd',
    details_submitted: false,
    email: null,
    external_accounts: {
      object: 'list',
      data: [],
      has_more: false,
      url: `/v1/accounts/${id}/external_accounts`,
    },
    future_requirements: requirements([]),
    metadata: {},
    payouts_enabled: false,
    requirements: requirements(INITIAL_REQUIREMENTS),
    settings: accountSettings(business_profile?.name ?? null),
    tos_acceptance: { date: null, ip: null, user_agent: null },
    type: 'standard',
    ...own,
  };
}

/** The capabilities of an account; at Stripe, they are also activated one by one. */
export const allCapabilities = (status: 'active' | 'inactive') =>
  Object.fromEntries([...Object.values(CAPABILITIES), 'transfers'].map((name) => [name, status]));

/** The platform controls the account; Stripe collects its requirements and bears its losses. */
const CONTROLLER = {
  fees: { payer: 'account' },
  is_controller: true,
  losses: { payments: 'stripe' },
  requirement_collection: 'stripe',
  stripe_dashboard: { type: 'full' },
  type: 'application',
} satisfies Account['controller'];

const businessProfile = (
  input: AccountInput['business_profile'],
): NonNullable<Account['business_profile']> => ({
  mcc: null,
  minority_owned_business_designation: null,
  name: null,
  specified_commercial_transactions_act_url: null,
  support_address: null,
  support_email: null,
  support_phone: null,
  support_url: null,
  url: null,
  ...input,
});

const accountSettings = (display_name: string | null): NonNullable<Account['settings']> => ({
  branding: { icon: null, logo: null, primary_color: null, secondary_color: null },
  card_payments: {
    statement_descriptor_prefix: null,
    statement_descriptor_prefix_kana: null,
    statement_descriptor_prefix_kanji: null,
  },
  dashboard: { display_name, timezone: 'Etc/UTC' },
  payments: {
    statement_descriptor: null,
    statement_descriptor_kana: null,
    statement_descriptor_kanji: null,
    statement_descriptor_prefix_kana: null,
    statement_descriptor_prefix_kanji: null,
  },
  payouts: {
    debit_negative_balances: true,
    schedule: { delay_days: 2, interval: 'daily' },
    statement_descriptor: null,
  },
});

export const requirements = (fields: string[]): NonNullable<Account['requirements']> => ({
  alternatives: [],
  current_deadline: null,
  currently_due: fields,
  disabled_reason: fields.length ? 'requirements.past_due' : null,
  errors: [],
  eventually_due: fields,
  past_due: fields,
  pending_verification: [],
});
