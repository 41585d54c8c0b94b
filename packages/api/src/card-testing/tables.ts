import type { Generated } from 'kysely';

/** Since when, and until when, cards were being tested on the forms of an organization. */
interface AttackAlarmTable {
  id: string;
  organization_id: string;
  started_at: Generated<Date>;
  /** The last time that it looked like an attack; the alarm holds for a while longer. */
  held_at: Generated<Date>;
  /** Of the worst quarter of an hour. */
  failed: number;
  tried: number;
}

/** The cards that one payment intent may try: docs/decisions/0082-card-budget.md */
interface CardReservationTable {
  /** The processor's idempotency key of the request. */
  id: string;
  organization_id: string;
  /** Hash of the form's name; of a hosted page the embed session. */
  form: string;
  /** Keyed hash of the donor's network address; null where it is not known. */
  address: string | null;
  /** The donor did the work. */
  proven: boolean;
  /** Reserved, and after the end those that were taken. */
  cards: number;
  /** So many declines cancel the intent. */
  max_declines: number;
  /** Null until the intent was created. */
  payment_intent_id: string | null;
  created_at: Generated<Date>;
  /** When the intent was paid or canceled; it counts for ten more minutes. */
  ended_at: Date | null;
  /** When the idle intent is looked at again; null before the first time. */
  retry_at: Date | null;
}

/** The tables of this folder, as part of the schema. */
export interface CardTestingTables {
  attack_alarm: AttackAlarmTable;
  card_reservation: CardReservationTable;
}
