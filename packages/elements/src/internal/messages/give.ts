import { ConnectError } from '@connect-embed/contract/error';
import type { NotPaid } from '../outcome.ts';
import { donateTexts } from './donate.ts';

/** What is said only once a donor has pressed Give; fetched with the rest of that path. */
export const giveTexts = {
  chooseAmount: 'Choose an amount, or enter your own.',
  chooseLocked: 'Choose an amount.',
  badAmount: (example: string) => `Enter an amount, such as ${example}.`,
  tooSmall: (min: string) => `The smallest gift is ${min}.`,
  tooLarge: (max: string) => `The largest gift is ${max}.`,
  missingName: 'Enter your name.',
  missingEmail: 'Enter your email address.',
  badEmail: 'Enter an email address, such as name@example.org.',
  thanks: (name: string) => (name ? `Thank you, ${name}` : 'Thank you'),
  thanksText: (amount: string, organization: string) =>
    `Your gift of ${amount} to ${organization} is complete.`,
  pending: 'Your gift is on its way',
  pendingText: (amount: string, organization: string) =>
    `Your bank is still working on your gift of ${amount} to ${organization}. There is nothing more to do.`,
  reference: 'Reference',
  again: 'Make another gift',
  checkCard: 'Check the card details above.',
  later: 'Please try again in a few minutes.',
  refused: 'This gift could not be started. Nothing has been charged.',
  unknown:
    'We could not find out whether your gift went through. Please press Give again: we look first, and you will not be charged twice.',
  canceled: 'This payment was canceled. Nothing has been charged. You can try again.',
} as const;

/** What a declined card means for the donor: what happened, and the next step. */
const declineTexts: Readonly<Record<string, string>> = {
  insufficient_funds:
    'The card does not have enough funds for this gift. Try a smaller amount or another card.',
  expired_card: 'The card has expired. Check the expiration date or use another card.',
  incorrect_cvc: 'The security code is not right. Check the code on your card and try again.',
  incorrect_number: 'The card number is not right. Check the number and try again.',
  processing_error: 'The card could not be processed just now. Wait a moment and try again.',
  payment_intent_authentication_failure:
    'Your bank could not confirm that it is you. Try again, or use another card.',
  authentication_required:
    'Your bank asks you to confirm that it is you. Try again and follow its steps, or use another card.',
  generic_decline: 'The card was declined. Try another card, or ask your bank why.',
  /** Nobody refused: the processor was not asked to the end. */
  '': 'The gift did not go through, and nothing was charged. Check the card and press Give again.',
};

/** Which field of the form an `invalid_request` names, and what to do about it. */
const FIELD_OF: Readonly<Record<string, { field: 'amount' | 'name' | 'email'; text: string }>> = {
  amount_cents: { field: 'amount', text: 'This amount cannot be given here. Choose another.' },
  donor_name: { field: 'name', text: 'Enter your name in a shorter or simpler form.' },
  donor_email: { field: 'email', text: giveTexts.badEmail },
};

/** A gift that could not be started, in the donor's words. In every case nothing was charged. */
export function giftFailure(error: unknown): { text: string; field?: 'amount' | 'name' | 'email' } {
  const { type, message } = error instanceof ConnectError ? error : { type: '', message: '' };
  if (type === 'invalid_request') {
    return FIELD_OF[message.split(':')[0] ?? ''] ?? { text: giveTexts.refused };
  }
  if (type === 'rate_limited') return { text: `${donateTexts.busy} ${giveTexts.later}` };
  if (type !== 'unavailable' && type !== 'server_error') return { text: giveTexts.refused };
  return { text: navigator.onLine ? donateTexts.unreachable : donateTexts.stillOffline };
}

/** What the donor is told of a gift that is not complete. */
export function outcomeText(outcome: NotPaid): string {
  if (outcome.kind === 'unknown') return giveTexts.unknown;
  if (outcome.kind === 'canceled') return giveTexts.canceled;
  if (outcome.kind === 'incomplete') return giveTexts.checkCard;
  return declineTexts[outcome.code] ?? declineTexts['generic_decline']!;
}
