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

/** Why an account may not do something. */
export const disabledReasonText = (reason: string): string =>
  DISABLED_REASONS[reason] ?? plain(reason);

/** The first part of what the processor asks for, and what it means to somebody. */
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

/** What is asked for; its last part in the processor's own words. */
export function requirementText(need: string): string {
  const [first = '', ...rest] = need.split('.');
  const known = REQUIREMENTS[first.startsWith('person_') ? 'person' : first];
  if (!known) return plain(need);
  return rest.length > 0 ? `${known} (${plain(rest.join('.'))})` : known;
}

const plain = (words: string) => words.replaceAll(/[._]/g, ' ');
