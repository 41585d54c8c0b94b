/** What a bank decides about a debit, some time after it was sent. */
import { returnDebit, succeedAttempt } from './attempt-payment.ts';
import type { Ledger } from './ledger.ts';
import type { Decline } from './outcome.ts';
import { updateInvoiceAfterAttempt } from './renewals.ts';

/** Pays or returns the debit of a payment intent, as its bank account determines. */
export function settleDebit(ledger: Ledger, id: string) {
  const intent = ledger.find('payment_intent', id);
  if (intent.status !== 'processing') return;
  const method = ledger.find('payment_method', String(intent.payment_method));
  const charge = ledger.find('charge', String(intent.latest_charge));
  const { debit_failure } = ledger.hidden<{ debit_failure: Decline }>(id);
  const attempt = debit_failure
    ? returnDebit(ledger, intent, method, charge, debit_failure)
    : succeedAttempt(ledger, intent, method, charge);
  updateInvoiceAfterAttempt(ledger, attempt);
}
