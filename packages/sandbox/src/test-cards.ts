/** Stripe's published test card numbers and their behavior in the sandbox. */

import type { CardOutcome, Decline, PostPaymentEffect } from './outcome.ts';

type TestCard = {
  number: string;
  /** Stripe's token of the card. Servers use it, because they must not handle card numbers. */
  token: string;
  description: string;
  outcome: CardOutcome;
  offSessionOutcome?: CardOutcome;
  canBeSaved?: boolean;
  postPaymentEffect?: PostPaymentEffect;
};

export const cardDeclined = (
  decline_code: string,
  message = 'Your card was declined.',
): Decline => ({
  code: 'card_declined',
  decline_code,
  message,
});

export const TEST_CARDS: readonly TestCard[] = [
  {
    number: '4242424242424242',
    token: 'pm_card_visa',
    description: 'Succeeds',
    outcome: 'succeed',
  },
  {
    number: '5555555555554444',
    token: 'pm_card_mastercard',
    description: 'Succeeds',
    outcome: 'succeed',
  },
  {
    number: '4000002500003155',
    token: 'pm_card_authenticationRequiredOnSetup',
    description: 'Requires authentication',
    outcome: 'authenticate',
    offSessionOutcome: 'succeed',
  },
  {
    number: '4000002760003184',
    token: 'pm_card_authenticationRequired',
    description: 'Requires authentication for every payment, including renewals',
    outcome: 'authenticate',
  },
  {
    number: '4000000000000002',
    token: 'pm_card_visa_chargeDeclined',
    description: 'Declined',
    outcome: cardDeclined('generic_decline'),
  },
  {
    number: '4000000000009995',
    token: 'pm_card_visa_chargeDeclinedInsufficientFunds',
    description: 'Insufficient funds',
    outcome: cardDeclined('insufficient_funds', 'Your card has insufficient funds.'),
  },
  {
    number: '4000000000000069',
    token: 'pm_card_chargeDeclinedExpiredCard',
    description: 'Expired card',
    outcome: { code: 'expired_card', message: 'Your card has expired.' },
  },
  {
    number: '4000000000000127',
    token: 'pm_card_chargeDeclinedIncorrectCvc',
    description: 'Incorrect security code',
    outcome: { code: 'incorrect_cvc', message: "Your card's security code is incorrect." },
  },
  {
    number: '4000000000000119',
    token: 'pm_card_chargeDeclinedProcessingError',
    description: 'Processing error',
    outcome: {
      code: 'processing_error',
      message: 'An error occurred while processing your card. Try again in a little bit.',
    },
  },
  {
    number: '4000000000000341',
    token: 'pm_card_chargeCustomerFail',
    description: 'Can be saved; every charge is declined',
    outcome: cardDeclined('generic_decline'),
    canBeSaved: true,
  },
  {
    number: '4000000000000077',
    token: 'pm_card_bypassPending',
    description: 'Succeeds; the funds are available immediately',
    outcome: 'succeed',
    postPaymentEffect: 'available',
  },
  {
    number: '4000000000000259',
    token: 'pm_card_createDispute',
    description: 'Succeeds, then is disputed as fraudulent',
    outcome: 'succeed',
    postPaymentEffect: 'dispute',
  },
  {
    number: '4000000000001976',
    token: 'pm_card_createDisputeInquiry',
    description: 'Succeeds, then the bank inquires',
    outcome: 'succeed',
    postPaymentEffect: 'inquiry',
  },
  {
    number: '4000000000007726',
    token: 'pm_card_pendingRefund',
    description: 'Succeeds; a refund is pending for a few seconds',
    outcome: 'succeed',
    postPaymentEffect: 'refund_pending',
  },
  {
    number: '4000000000005126',
    token: 'pm_card_refundFail',
    description: 'Succeeds; a refund fails after a few seconds',
    outcome: 'succeed',
    postPaymentEffect: 'refund_fails',
  },
];
