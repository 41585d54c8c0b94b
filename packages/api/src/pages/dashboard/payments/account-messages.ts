const DISABLED_REASONS: Readonly<Record<string, string>> = {
  disconnected: 'the account was disconnected from this service at Stripe',
  'requirements.past_due': 'an answer is overdue',
  'requirements.pending_verification': 'Stripe checks what you told it',
  under_review: 'Stripe looks at the account',
  listed: 'Stripe checks the account against public lists',
  'rejected.fraud': 'Stripe has closed the account',
  'rejected.terms_of_service': 'Stripe has closed the account',
  'rejected.other': 'Stripe has closed the account',
};

/** Text for the `disabled_reason` of a Stripe account. */
export const disabledReasonText = (reason: string): string =>
  DISABLED_REASONS[reason] ?? plain(reason);

/** Text for the first segment of a Stripe requirement, such as `company` in `company.tax_id`. */
const REQUIREMENTS: Readonly<Record<string, string>> = {
  external_account: 'the bank account that payouts go to',
  tos_acceptance: 'your agreement to its terms',
  business_profile: 'what your organization does',
  business_type: 'what kind of organization you are',
  company: 'details of your organization',
  representative: 'who represents your organization',
  owners: 'who owns it',
  directors: 'who directs it',
  individual: 'details of the person responsible',
  person: 'details of a person',
};

/**
 * Text for a Stripe requirement. Its remaining segments are appended as they are, for example
 * `details of your organization (tax id)`.
 */
export function requirementText(need: string): string {
  const [first = '', ...rest] = need.split('.');
  const known = REQUIREMENTS[first.startsWith('person_') ? 'person' : first];
  if (!known) return plain(need);
  return rest.length > 0 ? `${known} (${plain(rest.join('.'))})` : known;
}

const plain = (words: string) => words.replaceAll(/[._]/g, ' ');
