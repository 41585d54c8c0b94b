/**
 * Validates a bank account and looks up how the simulated Stripe treats its debits. The full number is never
 * stored.
 */
import type { Behavior } from './outcome.ts';
import { isValidIban, isValidRoutingNumber } from './bank-number.ts';
import type { PaymentMethod } from './stripe-types.ts';
import { invalidParamError } from './stripe-error.ts';
import { type BankAccount, TEST_DEBITS } from './test-debits.ts';

/** Returns the bank account of a token such as `pm_success_at`. */
export const testAccountForToken = (token: string): BankAccount | undefined =>
  TEST_DEBITS.find((each) => each.token === token)?.account;

/**
 * @throws {StripeError} 400 for an invalid number, and for an account that is not one of Stripe's test accounts:
 * nothing in the sandbox may look as if money had moved
 */
export function debitBehavior(account: BankAccount): Behavior {
  checkNumbers(account);
  const key = JSON.stringify(account);
  const debit = TEST_DEBITS.find((each) => JSON.stringify(each.account) === key);
  if (!debit) throw liveAccountError(account);
  const { outcome, postPaymentEffect } = debit;
  return {
    outcome,
    offSessionOutcome: outcome,
    ...(postPaymentEffect && { postPaymentEffect }),
  };
}

function checkNumbers(account: BankAccount) {
  if (account.type === 'sepa_debit') {
    if (isValidIban(account.iban)) return;
    throw invalidParamError(
      'sepa_debit[iban]',
      'The IBAN you provided is invalid.',
      'invalid_bank_account_iban',
    );
  }
  if (!isValidRoutingNumber(account.routing_number)) {
    throw invalidParamError(
      'us_bank_account[routing_number]',
      'The routing number is invalid.',
      'routing_number_invalid',
    );
  }
  if (/^\d{4,17}$/.test(account.account_number)) return;
  throw invalidParamError(
    'us_bank_account[account_number]',
    'The account number is invalid.',
    'account_number_invalid',
  );
}

const liveAccountError = ({ type }: BankAccount) =>
  invalidParamError(
    type,
    'This bank account is not a test account. For a list of valid test accounts, visit: https://docs.stripe.com/testing.',
    'payment_method_invalid_parameter_testmode',
  );

/** Returns the fields that may be stored; none of them can be used to pay. */
export function toStoredAccount(
  account: BankAccount,
): Pick<PaymentMethod, 'type' | 'sepa_debit' | 'us_bank_account'> {
  if (account.type === 'sepa_debit') {
    const { iban } = account;
    return {
      type: account.type,
      sepa_debit: {
        bank_code: iban.slice(4, 9),
        branch_code: '',
        country: iban.slice(0, 2),
        fingerprint: null,
        generated_from: { charge: null, setup_attempt: null },
        last4: iban.slice(-4),
      },
    };
  }
  return {
    type: account.type,
    us_bank_account: {
      account_holder_type: 'individual',
      account_type: 'checking',
      bank_name: 'STRIPE TEST BANK',
      financial_connections_account: null,
      fingerprint: null,
      last4: account.account_number.slice(-4),
      networks: { preferred: 'ach', supported: ['ach'] },
      routing_number: account.routing_number,
      status_details: {},
    },
  };
}
