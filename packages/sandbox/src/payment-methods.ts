/** Stores what a donor entered as a payment method, together with how the sandbox treats it. */
import { debitBehavior, toStoredAccount } from './bank-accounts.ts';
import type { CardInput } from './cards.ts';
import { cardBehavior, checkCard, toStoredCard } from './cards.ts';
import { newId } from './ids.ts';
import type { Ledger } from './ledger.ts';
import {
  type BillingDetails,
  type MethodDetails,
  cardDetails,
  newPaymentMethod,
} from './objects/payment-method.ts';
import type { Behavior, Outcome } from './outcome.ts';
import type { PaymentMethod } from './stripe-types.ts';
import type { BankAccount } from './test-debits.ts';

/** A payment method and the outcome that the sandbox simulates for it. */
export type PaymentAttempt = {
  method: PaymentMethod;
  outcome: Outcome;
  /** Where the donor returns to after the page of another provider. */
  returnUrl?: string | undefined;
};

/**
 * Stores a card that was entered as a payment method. Its number determines the outcome and is not
 * stored.
 *
 * @throws {StripeError} 402 for invalid card data
 */
export function typedCardAttempt(
  ledger: Ledger,
  card: CardInput,
  billing: BillingDetails,
): PaymentAttempt {
  checkCard(card);
  return addMethod(ledger, cardDetails(toStoredCard(card)), billing, cardBehavior(card.number));
}

/** @throws {StripeError} 400 for an invalid bank account, and for one that is not a test account */
export const typedDebitAttempt = (
  ledger: Ledger,
  account: BankAccount,
  billing: BillingDetails,
): PaymentAttempt => addMethod(ledger, toStoredAccount(account), billing, debitBehavior(account));

/** A PayPal account has no number: the donor signs in on PayPal's page, and later charges need no donor. */
export const paypalAttempt = (ledger: Ledger, billing: BillingDetails): PaymentAttempt =>
  addMethod(
    ledger,
    {
      type: 'paypal',
      paypal: { country: 'US', payer_email: billing.email, payer_id: newId('payer') },
    },
    billing,
    { outcome: 'redirect', offSessionOutcome: 'succeed' },
  );

function addMethod(
  ledger: Ledger,
  details: MethodDetails,
  billing: BillingDetails,
  behavior: Behavior,
): PaymentAttempt {
  const method = newPaymentMethod(ledger.now(), details, billing);
  return { method: ledger.add(method, behavior), outcome: behavior.outcome };
}

/** Charges a saved payment method without the donor. */
export function savedMethodAttempt(ledger: Ledger, id: string): PaymentAttempt {
  const method = ledger.find('payment_method', id, 'payment_method');
  return { method, outcome: ledger.hidden<Behavior>(id).offSessionOutcome ?? 'succeed' };
}
