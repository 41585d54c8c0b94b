import type { Generated } from 'kysely';

/** An alarm: a period of card testing on the forms of an organization. */
interface AttackAlarmTable {
  id: string;
  organization_id: string;
  started_at: Generated<Date>;
  /** The last sign of the attack. The alarm lasts 15 minutes longer. */
  last_detected_at: Generated<Date>;
  /** Highest counts in any 15 minutes of the attack. */
  declined_cards: number;
  attempted_cards: number;
}

/** The cards that one payment intent may try: docs/decisions/0047-card-testing.md */
interface CardReservationTable {
  /** Idempotency key of the request at Stripe. */
  id: string;
  organization_id: string;
  /** Hash of the form's name; for a hosted page the id of the embed session. */
  form_key: string;
  /** Keyed hash of the donor's network address; null if it is unknown. */
  address_hash: string | null;
  /** Whether the donor sent a proof of work. */
  has_proof_of_work: boolean;
  /**
   * Cards that count against the budgets: the reserved ones; after the payment intent has ended,
   * those that were tried or may have been tried.
   */
  card_count: number;
  /** Number of declines that cancels the payment intent. */
  max_declines: number;
  /** Null until the payment intent has been created. */
  payment_intent_id: string | null;
  created_at: Generated<Date>;
  /** When the payment intent was paid or canceled. The cards count for ten more minutes. */
  ended_at: Date | null;
  /**
   * When the next attempt to cancel the idle payment intent is due; null before the first attempt.
   */
  retry_at: Date | null;
}

/** Tables for the defense against card testing, as part of the database schema. */
export interface FraudTables {
  attack_alarm: AttackAlarmTable;
  card_reservation: CardReservationTable;
}
