import { newId } from '../ids.ts';
import type { BalanceTransaction, Charge, Dispute } from '../stripe-types.ts';

/**
 * Creates a dispute in Stripe's format.
 *
 * @param due_by deadline for evidence; null for a debit that the bank has taken back, which is final
 * @param lines balance transactions that withdraw the amount; empty for an inquiry
 */
export function newDispute(
  created: number,
  charge: Charge,
  due_by: number | null,
  lines: BalanceTransaction[] = [],
): Dispute {
  return {
    id: newId('du'),
    object: 'dispute',
    amount: charge.amount,
    balance_transactions: lines,
    charge: charge.id,
    created,
    currency: charge.currency,
    enhanced_eligibility_types: [],
    // Evidence is not simulated.
    evidence: {} as Dispute['evidence'],
    evidence_details: {
      due_by,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    intended_submission_method: null,
    is_charge_refundable: lines.length === 0,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    ...disputedMethod(charge, lines.length > 0),
    reason: due_by === null ? 'debit_not_authorized' : 'fraudulent',
    status: statusOf(due_by === null, lines.length > 0),
  };
}

function statusOf(isFinal: boolean, withdrawsFunds: boolean): Dispute['status'] {
  if (isFinal) return 'lost';
  return withdrawsFunds ? 'needs_response' : 'warning_needs_response';
}

/** Stripe has no details of disputed bank debits. */
function disputedMethod(
  { payment_method_details: method }: Charge,
  isChargeback: boolean,
): Pick<Dispute, 'payment_method_details'> {
  if (method?.type !== 'card') return {};
  const brand = method.card?.brand ?? 'visa';
  const case_type = isChargeback ? 'chargeback' : 'inquiry';
  const card = { brand, case_type, network: brand, network_reason_code: '10.4' };
  return { payment_method_details: { card, type: 'card' } };
}
