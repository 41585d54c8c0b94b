import type { ColumnType, Generated } from 'kysely';

/** Set by the database when the row is made, unless the processor tells when. */
type CreatedAt = ColumnType<Date, Date | undefined, never>;

/** Refunds that took money away, until one of them fails. */
export const REFUND_STATES = [
  'pending',
  'requires_action',
  'succeeded',
  'failed',
  'canceled',
] as const;
export type RefundState = (typeof REFUND_STATES)[number];

export type DisputeState = 'none' | 'open' | 'won' | 'lost';

interface DonationRefundTable {
  id: string;
  organization_id: string;
  donation_id: string;
  processor_refund_id: string;
  amount_cents: number;
  status: RefundState;
  reason: string | null;
  failure_reason: string | null;
  created_at: CreatedAt;
}

interface DonationDisputeTable {
  id: string;
  organization_id: string;
  donation_id: string;
  processor_dispute_id: string;
  amount_cents: number;
  status: DisputeState;
  reason: string | null;
  /** Until when the processor takes an answer to it. */
  answer_until: Date | null;
  created_at: CreatedAt;
}

/** A refund that somebody asked for here. */
interface RefundRequestTable {
  /** The processor's idempotency key. */
  key: string;
  organization_id: string;
  donation_id: string;
  amount_cents: number;
  reason: string | null;
  /** For the organization's own people. */
  note: string | null;
  /** Id of the person. */
  requested_by: string | null;
  /** Null until the processor has made it. */
  processor_refund_id: string | null;
  created_at: CreatedAt;
}

/** What one gift, refund or dispute adds to one payout. */
interface PayoutDonationTable {
  id: string;
  organization_id: string;
  payout_id: string;
  processor_transaction_id: string;
  processor_payment_intent_id: string;
  type: 'gift' | 'refund' | 'dispute';
  /** Negative where money went back. */
  amount_cents: number;
  fee_cents: number;
  currency: string;
  created_at: CreatedAt;
}

/** The organization's account as the processor last described it. */
interface ProcessorAccountTable {
  id: string;
  organization_id: string;
  charges_enabled: boolean;
  payouts_enabled: boolean;
  details_submitted: boolean;
  disabled_reason: string | null;
  /** What the processor still asks for, in its own words. */
  due: string[];
  reading: Generated<number>;
  read_at: Generated<Date>;
}

/** A site whose visitors may pay with the wallets of their devices. */
interface PaymentDomainTable {
  organization_id: string;
  domain: string;
  processor_domain_id: string | null;
  apple_pay: string | null;
  google_pay: string | null;
  /** Why it could not be registered. */
  problem: string | null;
  checked_at: Date | null;
  created_at: CreatedAt;
}

/** How far an organization has been compared with the processor. */
interface ReconciliationTable {
  organization_id: string;
  /** Time of the newest event that was looked at; the processor's clock. */
  events_until: Date | null;
  events_at: Date | null;
  compared_at: Date | null;
}

/** The tables of this folder, as part of the schema. */
export interface MoneyTables {
  donation_refund: DonationRefundTable;
  donation_dispute: DonationDisputeTable;
  refund_request: RefundRequestTable;
  payout_donation: PayoutDonationTable;
  processor_account: ProcessorAccountTable;
  payment_domain: PaymentDomainTable;
  reconciliation: ReconciliationTable;
}
