import { newId } from '../ids.ts';
import type { Payout } from '../stripe-types.ts';

type Input = Pick<Payout, 'amount' | 'currency' | 'arrival_date' | 'automatic'>;

/** Creates a payout in Stripe's format. */
export const newPayout = (created: number, input: Input): Payout => ({
  id: newId('po'),
  object: 'payout',
  application_fee: null,
  application_fee_amount: null,
  balance_transaction: null,
  created,
  description: input.automatic ? 'STRIPE PAYOUT' : null,
  destination: null,
  failure_balance_transaction: null,
  failure_code: null,
  failure_message: null,
  livemode: false,
  metadata: {},
  method: 'standard',
  original_payout: null,
  payout_method: null,
  reconciliation_status: input.automatic ? 'in_progress' : 'not_applicable',
  reversed_by: null,
  source_type: 'card',
  statement_descriptor: null,
  status: 'pending',
  trace_id: null,
  type: 'bank_account',
  ...input,
});
