import { isDebit } from '@connect-embed/contract';
import type { Selectable } from 'kysely';
import type { Database } from '@connect-embed/api/db/schema';
import { failureText } from '../donations/on-their-way.ts';

type RecurringPlanRow = Selectable<Database['recurring_plan']>;

/** Stripe's decline codes of cards in plain words: https://docs.stripe.com/declines/codes */
const CARD_FAILURES: Readonly<Record<string, string>> = {
  insufficient_funds: 'Not enough money on the card',
  expired_card: 'Card has expired',
  lost_card: 'Card was reported lost',
  stolen_card: 'Card was reported stolen',
  pickup_card: 'Card is blocked',
  restricted_card: 'Card is blocked',
  invalid_account: 'Card or its account no longer exists',
  incorrect_number: 'Card number is wrong',
  invalid_number: 'Card number is wrong',
  incorrect_cvc: 'Security code is wrong',
  invalid_cvc: 'Security code is wrong',
  authentication_required: 'Bank wants the donor to confirm the payment',
  card_not_supported: 'Card does not allow this kind of payment',
  transaction_not_allowed: 'Card does not allow this kind of payment',
  currency_not_supported: 'Card does not allow this currency',
  card_velocity_exceeded: 'Card has reached its limit',
  withdrawal_count_limit_exceeded: 'Card has reached its limit',
  issuer_not_available: 'Bank could not be reached',
  processing_error: 'Bank could not be reached',
  reenter_transaction: 'Bank could not be reached',
  try_again_later: 'Bank could not be reached',
};

/** Whether the saved payment method is a bank account, which is charged by debit. */
export const paysByDebit = ({ card_label }: Pick<RecurringPlanRow, 'card_label'>) =>
  isDebit(card_label?.split(' ')[0] ?? null);

/** The reason why the last payment of a recurring donation failed, in plain words. */
export function planFailureText({
  failure_code: code,
  card_label,
}: Pick<RecurringPlanRow, 'failure_code' | 'card_label'>): string {
  if (code === null) return 'Not known';
  if (paysByDebit({ card_label })) return failureText(code);
  return CARD_FAILURES[code] ?? 'Bank declined the card without saying why';
}
