/**
 * Every text that an element shows, in English.
 *
 * One object per family of tags, so that each bundle carries its own; values are texts or functions
 * of what they name. Another language is the same shape, fetched when a page asks for it.
 */
export const LANGUAGE = 'en';

export const donateTexts = {
  title: (organization: string) => `Support ${organization}`,
  testMode: 'Test mode',
  testModeHint: 'No real money moves.',
  amount: 'Amount',
  otherAmount: 'Other amount',
  anyAmount: 'Your amount',
  amountHint: (min: string, max: string | undefined) =>
    max ? `Any amount from ${min} to ${max}.` : `Any amount from ${min}.`,
  details: 'Your details',
  name: 'Name',
  email: 'Email',
  card: 'Card',
  cardNumber: 'Card number',
  cardExpiry: 'Expiration date',
  cardCode: 'Security code',
  required: '(required)',
  give: (amount: string | undefined) => (amount ? `Give ${amount}` : 'Give'),
  giving: (amount: string) => `Giving ${amount}…`,
  pleaseWait: 'Your gift is being processed. Please wait.',
  secure: 'Card details go straight to the card processor, never to this website.',

  loading: 'Loading the donation form…',
  loadingCard: 'Loading the card form…',
  loadFailed: 'The donation form is not available right now',
  loadFailedHint: 'Nothing has been charged. Please try again in a moment.',
  offline: 'You are offline',
  offlineHint: 'The form appears as soon as you are back online.',
  retry: 'Try again',

  cardBlocked: 'The card form could not be loaded',
  cardBlockedHint:
    'A content blocker or a firewall may be stopping it. Allow it and try again, or give on our secure page.',
  hostedPage: 'Give on our secure page',

  unreachable: 'We could not reach the server. Nothing has been charged. Please try again.',
  stillOffline: 'You are offline. Nothing has been charged, and what you typed is kept.',
  backOnline: 'You are back online. You can give now.',
  busy: 'Many people are giving right now. Nothing has been charged.',
  busyWait: (seconds: number) => `We try again in ${seconds} s.`,
} as const;
