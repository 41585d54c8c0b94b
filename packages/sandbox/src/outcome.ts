/** What the simulated Stripe does with a payment method. */

/** The reason why a charge fails, with Stripe's codes. */
export type Decline = { code: string; decline_code?: string; message: string };

export type CardOutcome = 'succeed' | 'authenticate' | Decline;

/** A bank debit is `processing` until the bank pays it, or returns it with a failure. */
export type PendingDebit = { settlesAfterSeconds: number; failure?: Decline };

/** `redirect`: the donor approves the payment on the page of another provider. */
export type Outcome = CardOutcome | 'redirect' | PendingDebit;

export const isDebit = (outcome: Outcome): outcome is PendingDebit =>
  typeof outcome === 'object' && 'settlesAfterSeconds' in outcome;

/** An effect that follows a successful payment. */
export type PostPaymentEffect =
  'available' | 'dispute' | 'inquiry' | 'refund_pending' | 'refund_fails';

/**
 * How a test card or a test bank account behaves; stored in the hidden data of its payment method.
 *
 * `offSessionOutcome` is the outcome of charges without the donor, after the method has been set up.
 */
export type Behavior = {
  outcome: Outcome;
  offSessionOutcome: Outcome;
  /** If true, the card can be saved although its charges fail. */
  canBeSaved?: boolean;
  postPaymentEffect?: PostPaymentEffect;
};
