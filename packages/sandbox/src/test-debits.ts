/** Stripe's published bank accounts for test debits, and their behavior in the sandbox. */
import type { Decline, PendingDebit, PostPaymentEffect } from './outcome.ts';

/** A bank account for SEPA or ACH debits, as a donor types it. */
export type BankAccount =
  | { type: 'sepa_debit'; iban: string }
  | { type: 'us_bank_account'; routing_number: string; account_number: string };

/** Whether a payment method is a bank account that is debited. */
export const isDebitType = (type: string | undefined): type is BankAccount['type'] =>
  type === 'sepa_debit' || type === 'us_bank_account';

type TestDebit = {
  account: BankAccount;
  /** Stripe's token of the bank account. */
  token: string;
  description: string;
  outcome: PendingDebit;
  postPaymentEffect?: PostPaymentEffect;
};

const THREE_MINUTES_SECONDS = 3 * 60;

/** Codes and reasons of returned debits: https://docs.stripe.com/error-codes */
export const DEBIT_FAILURES = {
  account_closed: "The customer's bank account has been closed.",
  no_account: "The customer's bank account could not be located.",
  insufficient_funds: "The customer's account has insufficient funds to cover this payment.",
  debit_not_authorized: 'The customer has notified their bank that this payment was unauthorized.',
} as const;

export const debitFailure = (code: keyof typeof DEBIT_FAILURES): Decline => ({
  code,
  message: DEBIT_FAILURES[code],
});

/** Even an immediate outcome passes through `processing`: the next run of the scheduler decides it. */
const succeeds = (settlesAfterSeconds = 0): PendingDebit => ({ settlesAfterSeconds });

const isReturned = (code: keyof typeof DEBIT_FAILURES, settlesAfterSeconds = 0): PendingDebit => ({
  settlesAfterSeconds,
  failure: debitFailure(code),
});

const sepa = (iban: string): BankAccount => ({ type: 'sepa_debit', iban });

const ach = (account_number: string): BankAccount => ({
  type: 'us_bank_account',
  routing_number: '110000000',
  account_number,
});

export const TEST_DEBITS: readonly TestDebit[] = [
  {
    account: sepa('AT611904300234573201'),
    token: 'pm_success_at',
    description: 'Succeeds',
    outcome: succeeds(),
  },
  {
    account: sepa('AT321904300235473204'),
    token: 'pm_successDelayed_at',
    description: 'Succeeds after three minutes',
    outcome: succeeds(THREE_MINUTES_SECONDS),
  },
  {
    account: sepa('AT861904300235473202'),
    token: 'pm_failed_at',
    description: 'Fails',
    outcome: isReturned('debit_not_authorized'),
  },
  {
    account: sepa('AT051904300235473205'),
    token: 'pm_failedDelayed_at',
    description: 'Fails after three minutes',
    outcome: isReturned('debit_not_authorized', THREE_MINUTES_SECONDS),
  },
  {
    account: sepa('AT591904300235473203'),
    token: 'pm_disputed_at',
    description: 'Succeeds, then is disputed',
    outcome: succeeds(),
    postPaymentEffect: 'dispute',
  },
  {
    account: sepa('AT981904300002222227'),
    token: 'pm_insufficientFunds_at',
    description: 'Fails: insufficient funds',
    outcome: isReturned('insufficient_funds'),
  },
  {
    account: ach('000123456789'),
    token: 'pm_usBankAccount_success',
    description: 'Succeeds',
    outcome: succeeds(),
  },
  {
    account: ach('000111111113'),
    token: 'pm_usBankAccount_accountClosed',
    description: 'Fails: the account is closed',
    outcome: isReturned('account_closed'),
  },
  {
    account: ach('000111111116'),
    token: 'pm_usBankAccount_noAccount',
    description: 'Fails: no account is found',
    outcome: isReturned('no_account'),
  },
  {
    account: ach('000222222227'),
    token: 'pm_usBankAccount_insufficientFunds',
    description: 'Fails: insufficient funds',
    outcome: isReturned('insufficient_funds'),
  },
  {
    account: ach('000333333335'),
    token: 'pm_usBankAccount_debitNotAuthorized',
    description: 'Fails: the debit is not authorized',
    outcome: isReturned('debit_not_authorized'),
  },
  {
    account: ach('000555555559'),
    token: 'pm_usBankAccount_dispute',
    description: 'Succeeds, then is disputed',
    outcome: succeeds(),
    postPaymentEffect: 'dispute',
  },
];
