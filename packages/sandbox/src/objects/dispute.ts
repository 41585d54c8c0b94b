import { newId } from '../ids.ts';
import type { BalanceTransaction, Charge, Dispute } from '../stripe-types.ts';

const EVIDENCE = [
  'access_activity_log',
  'billing_address',
  'cancellation_policy',
  'cancellation_policy_disclosure',
  'cancellation_rebuttal',
  'customer_communication',
  'customer_email_address',
  'customer_name',
  'customer_purchase_ip',
  'customer_signature',
  'duplicate_charge_documentation',
  'duplicate_charge_explanation',
  'duplicate_charge_id',
  'product_description',
  'receipt',
  'refund_policy',
  'refund_policy_disclosure',
  'refund_refusal_explanation',
  'service_date',
  'service_documentation',
  'shipping_address',
  'shipping_carrier',
  'shipping_date',
  'shipping_documentation',
  'shipping_tracking_number',
  'uncategorized_file',
  'uncategorized_text',
] as const satisfies readonly (keyof Dispute['evidence'])[];

type EvidenceName = (typeof EVIDENCE)[number];
export const EVIDENCE_NAMES: readonly EvidenceName[] = EVIDENCE;

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
    evidence: knownEvidence(charge.billing_details),
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

/** The evidence that Stripe knows from the charge: email and name of the donor. */
function knownEvidence({ email, name }: Charge['billing_details']): Dispute['evidence'] {
  const none = Object.fromEntries(EVIDENCE.map((each) => [each, null])) as Record<
    EvidenceName,
    null
  >;
  return { ...none, customer_email_address: email, customer_name: name, enhanced_evidence: {} };
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
