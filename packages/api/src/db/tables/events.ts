import type { FundraisingEvent, Registration } from '@connect-embed/contract';
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

/** Set by the database on insert, unless given by seed data or an import. */
type CreatedAt = ColumnType<Date, Date | undefined, never>;

interface EventTable {
  id: string;
  organization_id: string;
  slug: string;
  title: string;
  description: string | null;
  location: string | null;
  event_format: FundraisingEvent['event_format'];
  online_meeting_url: string | null;
  timezone: string;
  pricing_mode: FundraisingEvent['pricing_mode'];
  starts_at: Date;
  ends_at: Date | null;
  /** Null for a draft. */
  published_at: Date | null;
  published: GeneratedAlways<boolean>;
  /** When the event was canceled. A cancellation is permanent. */
  cancelled_at: Date | null;
  registration_opens_at: Date | null;
  registration_closes_at: Date | null;
  /** For pricing mode `fixed`. */
  price_cents: number | null;
  /** For pricing mode `pay_what_you_want`. */
  pwyw_min_cents: number | null;
  pwyw_suggested_cents: number | null;
  /** Null if the number of attendees is not limited. */
  capacity: number | null;
  allow_waitlist: Generated<boolean>;
  requires_approval: Generated<boolean>;
  campaign_id: string | null;
  fund_id: string | null;
  created_at: CreatedAt;
}

interface EventTicketTypeTable {
  id: string;
  event_id: string;
  name: string;
  description: string | null;
  price_cents: number;
  capacity: number | null;
  sort_order: Generated<number>;
  is_active: Generated<boolean>;
}

interface RegistrationTable {
  id: string;
  organization_id: string;
  event_id: string;
  ticket_type_id: string | null;
  attendee_name: string | null;
  attendee_email: string | null;
  attendee_phone: string | null;
  status: Registration['status'];
  quantity: Generated<number>;
  attendee_names: Generated<string[]>;
  amount_paid_cents: Generated<number>;
  refunded_cents: Generated<number>;
  refunded_at: Date | null;
  checked_in_at: Date | null;
  source: string;
  /**
   * SHA-256 of the check-in QR code. Responses of the API never contain this column or the next three.
   */
  check_in_hash: Buffer | null;
  processor_payment_intent_id: string | null;
  tax_cents: number | null;
  tax_country: string | null;
  created_at: CreatedAt;
}

export interface EventTables {
  event: EventTable;
  event_ticket_type: EventTicketTypeTable;
  registration: RegistrationTable;
}
