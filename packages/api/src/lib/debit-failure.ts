/** Why a bank returned a debit, as far as a donor can do something about it. */
export type DebitFailure =
  | 'insufficient_funds'
  | 'account_closed'
  | 'account_not_found'
  | 'not_authorized'
  | 'account_restricted';

/**
 * The failures of Stripe's error and decline codes of bank debits:
 * https://docs.stripe.com/declines/network-codes and https://docs.stripe.com/error-codes
 */
const FAILURES: Readonly<Record<string, DebitFailure>> = {
  insufficient_funds: 'insufficient_funds',
  account_closed: 'account_closed',
  bank_account_closed: 'account_closed',
  no_account: 'account_not_found',
  invalid_account_number: 'account_not_found',
  branch_does_not_exist: 'account_not_found',
  bank_account_invalid_details: 'account_not_found',
  incorrect_account_holder_name: 'account_not_found',
  bank_ownership_changed: 'account_not_found',
  debit_not_authorized: 'not_authorized',
  refer_to_customer: 'not_authorized',
  debit_disputed: 'not_authorized',
  bank_account_restricted: 'account_restricted',
  bank_account_frozen: 'account_restricted',
  account_restricted: 'account_restricted',
};

/** Returns undefined for a code that says nothing to the donor, such as `generic_could_not_process`. */
export const debitFailure = (code: string | null | undefined): DebitFailure | undefined =>
  code ? FAILURES[code] : undefined;
