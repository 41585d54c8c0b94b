/**
 * The English texts of the donation form.
 *
 * They are split by the chunk that needs them; the texts after a press of Give are in
 * `donation-flow.ts`. Names in braces are placeholders. Translations are in `locales/form/`, and a
 * page's `messages` override both.
 */
export const donateTexts = {
  title: 'Support {organization}',
  testMode: 'Test mode',
  testModeHint: 'Cards are not charged.',
  frequency: 'How often',
  one_time: 'One-time',
  monthly: 'Monthly',
  quarterly: 'Quarterly',
  yearly: 'Yearly',
  amount: 'Amount',
  otherAmount: 'Other amount',
  anyAmount: 'Your amount',
  amountFrom: 'Any amount from {min}.',
  amountBetween: 'Any amount from {min} to {max}.',
  fund: 'Use my gift for',
  details: 'Your details',
  name: 'Name',
  email: 'Email',
  anonymous: 'Do not show my name publicly',
  more: 'Add a dedication or message',
  dedication: 'In honor or memory of',
  comment: 'Message',
  card: 'Card',
  cardNumber: 'Card number',
  cardExpiry: 'Expiration date',
  cardCode: 'Security code',
  required: '(required)',
  fee: 'Add {fee} for the card fee',
  feeOfAny: 'Add the card fee',
  feeSum: '{gift} + {fee} = {total}. The organization receives the full {gift}.',
  give: 'Give {amount}',
  giveAny: 'Give',
  give_monthly: 'Give {amount} monthly',
  give_quarterly: 'Give {amount} quarterly',
  give_yearly: 'Give {amount} yearly',
  secure: 'Card details go directly to our payment provider, never to this website.',

  connecting: 'Connecting to our payment provider…',
  close: 'Close',
  loading: 'Loading the donation form…',
  loadFailed: 'The donation form is not available right now',
  loadFailedHint: 'You were not charged. Try again in a moment.',
  offline: 'You are offline',
  offlineHint: 'The form appears as soon as you are back online.',
  retry: 'Try again',
};
