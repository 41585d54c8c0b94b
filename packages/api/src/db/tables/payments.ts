import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

/** Set by the database on insert, unless Stripe supplies the time. */
type CreatedAt = ColumnType<Date, Date | undefined, never>;

/**
 * - `requested`: saved before Stripe is called; not counted in the donation.
 * - `submitted`: created at Stripe, not final there; counted in the donation.
 * - `succeeded`: final; counted in the donation.
 * - `failed`: rejected or canceled by Stripe, or failed at the donor's bank; not counted.
 */
export type RefundStatus = 'requested' | 'submitted' | 'succeeded' | 'failed';

export type DisputeState = 'none' | 'open' | 'won' | 'lost';

/** A refund that a user of the dashboard requested, or that was made at Stripe. */
interface RefundTable {
  id: string;
  organization_id: string;
  donation_id: string;
  amount_cents: number;
  /** Only `sync` counts a refund: a `requested` one may already have its id at Stripe. */
  status: RefundStatus;
  /** The idempotency key at Stripe. Null if the refund was not requested here. */
  idempotency_key: string | null;
  /** Null until Stripe has created the refund. */
  processor_refund_id: string | null;
  /**
   * The refunded amount of the donation that the person saw when they decided. Null if the refund
   * was not requested here.
   */
  refunded_before_cents: number | null;
  reason: string | null;
  failure_reason: string | null;
  /** Internal note for the organization's staff. */
  note: string | null;
  /** Id of the `person` who requested the refund. */
  requested_by: string | null;
  created_at: CreatedAt;
}

/** The keys of an organization's own Stripe account, which it uses without a platform. */
interface StripeKeyTable {
  organization_id: string;
  encrypted_secret_key: string;
  /** The last four characters of the secret key, by which people recognize it. */
  secret_key_end: string;
  publishable_key: string;
  livemode: boolean;
  /** Stripe's id of the webhook endpoint. Null if the key may not create one. */
  webhook_endpoint_id: string | null;
  /** Null until the signing secret of the webhook endpoint is known. */
  encrypted_webhook_secret: string | null;
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
  /** Stripe's deadline for evidence against the dispute. */
  evidence_due_at: Date | null;
  created_at: CreatedAt;
}

/** The amount that one donation, refund or dispute adds to one payout, or the rest of its amount. */
interface PayoutDonationTable {
  id: string;
  organization_id: string;
  payout_id: string;
  /** Null for `other` and for an imported donation. */
  processor_transaction_id: string | null;
  processor_payment_intent_id: string | null;
  /** The donation of an entry without a payment intent: an imported one. */
  donation_id: string | null;
  type: 'donation' | 'refund' | 'dispute' | 'other';
  /** Negative if the entry reduces the payout. */
  amount_cents: number;
  fee_cents: number;
  currency: string;
  created_at: CreatedAt;
}

/** An organization's Stripe account as it was last fetched. */
interface ProcessorAccountTable {
  id: string;
  organization_id: string;
  charges_enabled: boolean;
  payouts_enabled: boolean;
  details_submitted: boolean;
  disabled_reason: string | null;
  /** Stripe's names of the requirements that are past due or currently due. */
  requirements_due: Generated<string[]>;
  row_version: Generated<number>;
  fetched_at: Generated<Date>;
}

/** A payment method domain: a website on which Apple Pay and Google Pay may be shown. */
interface PaymentDomainTable {
  organization_id: string;
  domain: string;
  processor_domain_id: string | null;
  apple_pay: string | null;
  google_pay: string | null;
  /** Stripe's reason why Apple Pay is not active on the domain; null if there is none. */
  problem: string | null;
  checked_at: Date | null;
  created_at: CreatedAt;
}

/** Progress of the reconciliation of an organization with Stripe. */
interface ReconciliationTable {
  organization_id: string;
  /** Creation time of the newest Stripe event that was processed, by Stripe's clock. */
  events_processed_until: Date | null;
  last_run_at: Date | null;
  compared_at: Date | null;
}

/** A place in the queue before Stripe: docs/decisions/0110-processor-queue.md */
interface ProcessorTurnTable {
  /** Idempotency key of the request at Stripe. */
  request_key: string;
  /** The Stripe account whose own keys are used, or `platform`. */
  queue: string;
  /** The second of the Unix epoch in which the request may be sent. */
  turn_second: number;
  /** Order of arrival. */
  place: GeneratedAlways<number>;
  /** Whether the request was sent. */
  is_taken: boolean;
}

/** Tables of payments, refunds and payouts, as part of the database schema. */
export interface PaymentTables {
  stripe_key: StripeKeyTable;
  refund: RefundTable;
  donation_dispute: DonationDisputeTable;
  payout_donation: PayoutDonationTable;
  processor_account: ProcessorAccountTable;
  payment_domain: PaymentDomainTable;
  reconciliation: ReconciliationTable;
  processor_turn: ProcessorTurnTable;
}
