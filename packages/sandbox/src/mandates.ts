/** Mandates of the simulated Stripe: the permission of a donor to debit a bank account. */
import type { Ledger } from './ledger.ts';
import { newMandate } from './objects/mandate.ts';
import { invalidParamError } from './stripe-error.ts';
import type { Mandate, PaymentMethod } from './stripe-types.ts';

/**
 * Returns the mandate of a bank account, which the donor gives with the first payment or setup.
 *
 * @param single amount of a mandate for one payment
 */
export function mandateFor(
  ledger: Ledger,
  method: PaymentMethod,
  single?: { amount: number; currency: string },
): Mandate {
  const existing = findMandate(ledger, method.id);
  if (existing) return existing;
  const mandate = ledger.add(newMandate(ledger.now(), ledger.url, method, single));
  ledger.setHidden(method.id, { mandate: mandate.id });
  return mandate;
}

function findMandate(ledger: Ledger, methodId: string): Mandate | undefined {
  const { mandate } = ledger.hidden<{ mandate: string }>(methodId);
  return mandate ? ledger.find('mandate', mandate) : undefined;
}

/**
 * Ends a mandate, as the bank does when the donor revokes it. Later debits of the account fail.
 *
 * @throws {StripeError} 400 if the payment method has no active mandate
 */
export function endMandate(ledger: Ledger, methodId: string): Mandate {
  const mandate = findMandate(ledger, methodId);
  if (mandate?.status !== 'active') {
    throw invalidParamError('payment_method', `${methodId} has no active mandate.`);
  }
  const ended = ledger.save<Mandate>({ ...mandate, status: 'inactive' });
  ledger.emit('mandate.updated', ended, { status: 'active' });
  return ended;
}
