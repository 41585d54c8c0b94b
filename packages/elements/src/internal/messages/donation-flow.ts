import { interpolate, type Plural } from '@connect-embed/contract/interpolate';
import type { Field, FormLanguage } from '../donation-draft.ts';
import type { NotPaid } from '../payment-outcome.ts';
import type { Failure } from '../embed-session.ts';
import type { FormMessages } from './form-texts.ts';

/**
 * The English texts that are needed only after the donor interacts; loaded with
 * `internal/donation-flow.ts`.
 */
export const donationFlowTexts = {
  giving: 'Giving {amount}…',
  pleaseWait: 'Your gift is being processed. Please wait.',
  stillWorking: 'This is taking longer than usual. Please keep this page open.',
  loadingCard: 'Loading the card form…',
  slowCard: 'The card form is taking longer than usual. You can fill in the rest in the meantime.',
  waitingForCard: 'Waiting for the card form…',
  cardBlocked: 'The card form could not be loaded',
  cardBlockedHint:
    'A content blocker or firewall may be blocking it. Allow it and try again, or give on our secure page.',
  hostedPage: 'Give on our secure page',
  stillOffline: 'You are offline. You were not charged, and what you entered is kept.',
  unreachable: 'We could not reach the server. You were not charged. Try again.',
  backOnline: 'You are back online. You can give now.',
  checking: 'Running a security check…',
  checkingWhy:
    'We are receiving many gifts from your network, so we are checking this one. This takes a moment.',
  checkPerson: 'One more step: confirm that you are human.',
  checkExpired: 'The check has expired. Try again.',
  checkFailed:
    'The check could not be completed. You were not charged. Try again, or give on our secure page.',
  checkBack: 'Back to the form',
  busy: 'Many people are giving right now. You were not charged.',
  busyWait: 'Trying again in {seconds}.',
  problems: { one: 'Check one field', other: 'Check {count} fields' } as Plural,
  chooseAmount: 'Choose an amount, or enter your own.',
  chooseLocked: 'Choose an amount.',
  badAmount: 'Enter an amount, such as {example}.',
  tooSmall: 'The minimum gift is {min}.',
  tooLarge: 'The maximum gift is {max}.',
  badSum: 'This amount is not accepted. Choose another.',
  missingName: 'Enter your name.',
  badName: 'Enter a shorter or simpler name.',
  missingEmail: 'Enter your email address.',
  missingCard: 'Enter your card details.',
  badEmail: 'Enter an email address, such as name@example.org.',
  thanks: 'Thank you, {name}',
  thanksAll: 'Thank you',
  thanksText: 'Your gift of {amount} to {organization} is complete.',
  pending: 'Your gift is being processed',
  pendingText:
    'Your bank is still processing your gift of {amount} to {organization}. You do not need to do anything else.',
  plan_monthly: 'This was your first monthly gift. The next one is charged automatically.',
  plan_quarterly: 'This was your first quarterly gift. The next one is charged automatically.',
  plan_yearly: 'This was your first yearly gift. The next one is charged automatically.',
  planLink: 'Use the link in your receipt to change, pause or cancel your recurring gift.',
  receipt: 'Your receipt will be sent to {email}.',
  questions: 'Questions? Contact the organization and include the reference.',
  fundName: 'Fund',
  campaignName: 'Campaign',
  nextPayment: 'Next payment',
  date: 'Date',
  reference: 'Reference',
  print: 'Print',
  again: 'Make another gift',
  share: 'Share',
  linkCopied: 'Link copied',
  copyLink: 'Copy this link',
  monthlyOffer:
    'Would you like to give {amount} every month? You confirm in the next step and are not charged until then.',
  makeMonthly: 'Make it monthly',
  monthlyStarts:
    'Your gift of {amount} is complete. Press Give to start your monthly gift: the first payment is today, then one every month.',
  incomplete: 'Check the card details above.',
  later: 'Try again in a few minutes.',
  refused: 'We could not process this gift. You were not charged.',
  unknown:
    'We could not confirm whether your gift went through. Press Give again: we check first, so you are not charged twice.',
  resumed:
    'Your last gift was not completed, and you were not charged. You can continue where you left off.',
  elsewhere:
    'A gift is being processed in another tab. We are waiting for it, so you are not charged twice.',
  repeated: 'You gave {amount} a moment ago in another tab. To give once more, press Give again.',
  waiting:
    'A gift of {amount} is waiting for your bank’s confirmation in another tab. Finish it there. To make this gift as well, press Give again.',
  canceled: 'This payment was canceled. You were not charged. You can try again.',

  insufficient_funds:
    'The card does not have enough funds for this gift. Try a smaller amount or another card.',
  expired_card: 'The card has expired. Check the expiration date or use another card.',
  incorrect_cvc: 'The security code is incorrect. Check the code on your card and try again.',
  incorrect_number: 'The card number is incorrect. Check the number and try again.',
  incorrect_zip: 'The postal code does not match the card. Check it and try again.',
  processing_error: 'The card could not be processed. Wait a moment and try again.',
  payment_intent_authentication_failure:
    'Your bank could not verify your identity. Try again, or use another card.',
  authentication_required:
    'Your bank needs to verify your identity. Try again and follow its instructions, or use another card.',
  generic_decline: 'The card was declined. Try another card, or ask your bank why.',
  undecided:
    'Your gift did not go through, and you were not charged. Check the card and press Give again.',
};

/** All texts of a form: English, overridden by the translation and the page's `messages`. */
export const textsOf = ({ texts }: Pick<FormLanguage, 'texts'>) =>
  ({ ...donationFlowTexts, ...texts }) as FormMessages;

/** The form field of an `invalid_request` error, by its parameter, and the message to show. */
const FIELD_BY_PARAM: Readonly<
  Record<string, { field: Field; text: 'badSum' | 'badName' | 'badEmail' }>
> = {
  amount_cents: { field: 'amount', text: 'badSum' },
  donor_name: { field: 'name', text: 'badName' },
  donor_email: { field: 'email', text: 'badEmail' },
};

/** The message for a donation that could not be started. In every case nothing was charged. */
export function failureMessage(
  error: unknown,
  texts: FormMessages,
): { text: string; field?: Field } {
  const { type, message } = error as Failure;
  if (type === 'invalid_request') {
    const named = FIELD_BY_PARAM[message.split(':')[0] ?? ''];
    if (named) return { field: named.field, text: texts[named.text] };
  }
  if ((error as Failure).name === 'AbortError') return { text: texts.canceled };
  if (type === 'proof_required') return { text: texts.checkFailed };
  if (type === 'rate_limited') return { text: `${texts.busy} ${texts.later}` };
  if (type !== 'unavailable' && type !== 'server_error') {
    return { text: `${texts.refused} ${texts.later}` };
  }
  return { text: navigator.onLine ? texts.unreachable : texts.stillOffline };
}

/** Message keys of declined cards, by Stripe's decline or error code. */
const DECLINES = new Map([
  ['insufficient_funds', 'insufficient_funds'],
  ['expired_card', 'expired_card'],
  ['invalid_expiry_month', 'expired_card'],
  ['invalid_expiry_year', 'expired_card'],
  ['incorrect_cvc', 'incorrect_cvc'],
  ['invalid_cvc', 'incorrect_cvc'],
  ['incorrect_number', 'incorrect_number'],
  ['invalid_number', 'incorrect_number'],
  ['incorrect_zip', 'incorrect_zip'],
  ['processing_error', 'processing_error'],
  ['issuer_not_available', 'processing_error'],
  ['reenter_transaction', 'processing_error'],
  ['try_again_later', 'processing_error'],
  ['payment_intent_authentication_failure', 'payment_intent_authentication_failure'],
  ['authentication_required', 'authentication_required'],
] as const);

type DeclineCode = Parameters<(typeof DECLINES)['get']>[0];

/** The message for a donation that is not complete. */
export function outcomeMessage(
  outcome: NotPaid,
  texts: FormMessages,
  money: (cents: number) => string,
): string {
  if (outcome.kind === 'declined') {
    const { code } = outcome;
    // Without a code the bank has not declined the card; the confirmation did not finish.
    if (!code) return texts.undecided;
    return texts[DECLINES.get(code as DeclineCode) ?? 'generic_decline'];
  }
  if (outcome.kind === 'repeated' || outcome.kind === 'waiting') {
    return interpolate(texts[outcome.kind], { amount: money(outcome.amountCents) });
  }
  return texts[outcome.kind];
}
