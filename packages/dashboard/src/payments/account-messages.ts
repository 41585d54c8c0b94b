const DISABLED_REASONS: Readonly<Record<string, string>> = {
  disconnected: 'The account was disconnected in Stripe',
  keys_rejected: 'Stripe no longer accepts your keys. Enter them again.',
  'requirements.past_due': 'Required information is overdue',
  'requirements.pending_verification': 'Stripe is verifying your information',
  under_review: 'Stripe is reviewing the account',
  listed: 'Stripe is checking the account against lists of prohibited persons and companies',
  'rejected.fraud': 'Stripe rejected the account',
  'rejected.terms_of_service': 'Stripe rejected the account',
  'rejected.other': 'Stripe rejected the account',
};

export const disabledReasonText = (reason: string): string =>
  DISABLED_REASONS[reason] ?? plain(reason);

/** Texts for the first segment of a Stripe requirement, such as `company` in `company.tax_id`. */
const REQUIREMENTS: Readonly<Record<string, string>> = {
  external_account: 'Bank account for payouts',
  tos_acceptance: 'Agreement to Stripe’s terms of service',
  business_profile: 'Business profile',
  business_type: 'Type of organization',
  company: 'Organization details',
  representative: 'Representative',
  owners: 'Owners',
  directors: 'Directors',
  individual: 'Details of the responsible person',
  person: 'Details of a person',
};

/**
 * Returns the text for a Stripe requirement. The segments after the first are appended with spaces,
 * for example `Organization details (tax id)`.
 */
export function requirementText(requirement: string): string {
  const [first = '', ...rest] = requirement.split('.');
  const requirementLabel = REQUIREMENTS[first.startsWith('person_') ? 'person' : first];
  if (!requirementLabel) return plain(requirement);
  return rest.length > 0 ? `${requirementLabel} (${plain(rest.join('.'))})` : requirementLabel;
}

const plain = (requirementName: string) => requirementName.replaceAll(/[._]/g, ' ');
