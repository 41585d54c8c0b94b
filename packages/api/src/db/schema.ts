import type { DonationTerms, Prefill } from '@connect-embed/contract';
import type { ColumnType, Generated, GeneratedAlways, JSONColumnType } from 'kysely';
import type { CardTestingTables } from '../card-testing/tables.ts';
import type { InstallationTable } from './installation.ts';
import type { EventTables } from '../events/tables.ts';
import type { LiveTables } from '../live/tables.ts';
import type { MailTables } from '../mail/tables.ts';
import type { MoneyTables } from '../money/tables.ts';
import type { OauthTables } from '../oauth/tables.ts';
import type { RecurringTables } from '../recurring/tables.ts';
import type { UserTables } from '../users/tables.ts';
import type { WebhookTables } from '../webhooks/tables.ts';

/** Set by the database when the row is made, unless given (seed, import). */
type CreatedAt = ColumnType<Date, Date | undefined, never>;

interface OrganizationTable {
  id: string;
  name: string;
  slug: string;
  legal_name: string | null;
  contact_email: string | null;
  website: string | null;
  tax_id: string | null;
  currency: string;
  /** The organization's own account at the processor; its gifts settle there. Null: none yet. */
  processor_account_id: string | null;
  /** IANA name; days on receipts are counted in it. */
  time_zone: Generated<string>;
  /** What receipts say for the tax office. */
  receipt_note: string | null;
  /** Whoever refunds needs two-step sign-in. */
  require_second_factor: Generated<boolean>;
  created_at: CreatedAt;
}

interface FundTable {
  id: string;
  organization_id: string;
  name: string;
  description: string | null;
  type: string;
  goal_cents: number | null;
  published: boolean;
  /** Since when nothing more is given to it; its gifts keep its name. */
  archived_at: Date | null;
  created_at: CreatedAt;
}

interface CampaignTable {
  id: string;
  organization_id: string;
  slug: string;
  name: string;
  description: string | null;
  goal_cents: number | null;
  is_active: boolean;
  start_date: Date | null;
  end_date: Date | null;
  archived_at: Date | null;
  created_at: CreatedAt;
}

interface DonorTable {
  id: string;
  organization_id: string;
  email: string | null;
  /** The e-mail in lower case: one donor an address, however it was typed. */
  email_key: GeneratedAlways<string | null>;
  first_name: string | null;
  last_name: string | null;
  phone: string | null;
  city: string | null;
  state: string | null;
  postal_code: string | null;
  country: string | null;
  source: string;
  created_at: CreatedAt;
  updated_at: Generated<Date>;
  /** The name as it is sorted. */
  name_key: GeneratedAlways<string>;
  /** What it is found by: docs/decisions/0087-search.md */
  search: GeneratedAlways<string>;
}

interface DonationTable {
  id: string;
  organization_id: string;
  amount_cents: number;
  /** The processor's fees, of refunds and disputes too; null until they are told. */
  fee_cents: number | null;
  net_amount_cents: GeneratedAlways<number | null>;
  currency: string;
  recurring: Generated<boolean>;
  refund_status: Generated<string>;
  refunded_amount_cents: Generated<number>;
  dispute_status: Generated<string>;
  /** What disputes took away and did not give back. */
  disputed_amount_cents: Generated<number>;
  donor_name: string | null;
  donor_email: string | null;
  fund_id: string | null;
  campaign_id: string | null;
  contact_id: string | null;
  source: string;
  source_id: string | null;
  /** Unique: one intent is at most one donation. */
  processor_payment_intent_id: string | null;
  /** docs/decisions/0033-readings.md */
  reading: Generated<number>;
  /** The plan whose payment it is. */
  plan_id: string | null;
  /** The donor's language, as the form said it. */
  locale: string | null;
  /** When the processor took the money: docs/decisions/0051-paid-at.md */
  paid_at: CreatedAt;
  /** When it was recorded. */
  created_at: CreatedAt;
  /** Names it to people; the database assigns one where none was reserved: docs/decisions/0086-references.md */
  reference: Generated<string>;
  /** Stripe's type of the payment method, such as `card`. */
  payment_method: string | null;
  card_brand: string | null;
  /** The payout that the payment itself is part of; refunds may be part of others. */
  payout_id: string | null;
  /** The donor's name as it is sorted. */
  donor_name_key: GeneratedAlways<string>;
  /** What it is found by: docs/decisions/0087-search.md */
  search: GeneratedAlways<string>;
}

interface PayoutTable {
  id: string;
  organization_id: string;
  amount_cents: number;
  currency: string;
  status: string;
  arrival_date: Date;
  description: string | null;
  statement_descriptor: string | null;
  processor_payout_id: string | null;
  failure_message: string | null;
  /** docs/decisions/0033-readings.md */
  reading: Generated<number>;
  created_at: CreatedAt;
  /** What it is found by: docs/decisions/0087-search.md */
  search: GeneratedAlways<string>;
}

interface ApiKeyTable {
  id: string;
  organization_id: string;
  name: string;
  token_hash: Buffer;
  scopes: string[];
  created_at: CreatedAt;
  /** Who made it in the dashboard; null for the command line. */
  created_by: string | null;
  revoked_at: Date | null;
}

/** The terms of a form, and the sites that it is on; sessions of an earlier release name none. */
export type StoredTerms = DonationTerms & { origins?: string[] };

interface EmbedSessionTable {
  id: string;
  organization_id: string;
  /** What it was minted with, and ends with: one of these two. */
  api_key_id: string | null;
  grant_id: string | null;
  token_hash: Buffer;
  terms: JSONColumnType<StoredTerms>;
  prefill: JSONColumnType<Prefill>;
  expires_at: Date;
  created_at: CreatedAt;
}

interface ComponentSessionTable {
  id: string;
  organization_id: string;
  /** What it was minted with, and ends with: one of these two. */
  api_key_id: string | null;
  grant_id: string | null;
  token_hash: Buffer;
  components: string[];
  masks: string[];
  expires_at: Date;
  created_at: CreatedAt;
}

/** An intent that this service opened, and what the processor last said of it. */
interface PaymentIntentTable {
  /** The processor's own id. */
  id: string;
  organization_id: string;
  amount_cents: number;
  currency: string;
  status: 'open' | 'failed' | 'succeeded';
  /** When the processor made the newest event that was applied. */
  status_at: Date | null;
  failure_code: string | null;
  failure_message: string | null;
  /** Cards that were declined on it. */
  failed_attempts: Generated<number>;
  /** Since when it takes no further card, because too many were declined. */
  closed_at: Date | null;
  /** The plan whose first payment it is. */
  plan_id: string | null;
  fund_id: string | null;
  campaign_id: string | null;
  source: string;
  source_id: string;
  /** Reserved for the donation that it becomes. */
  reference: string | null;
  created_at: CreatedAt;
}

/** References that were promised before there was a donation: docs/decisions/0086-references.md */
interface ReservedReferenceTable {
  organization_id: string;
  reference: string;
  /** The idempotency key at Stripe of the request that it was reserved for. */
  reserved_for: string;
  created_at: CreatedAt;
}

/** Events of the processor that have been dealt with, so that a repetition changes nothing. */
interface ProcessorEventTable {
  id: string;
  organization_id: string;
  type: string;
  received_at: Generated<Date>;
}

/** docs/decisions/0009-idempotency.md */
interface IdempotencyKeyTable {
  credential_id: string;
  key: string;
  /** SHA-256 of method, path and body. */
  fingerprint: Buffer;
  /** Whose attempt holds the lock; a late one finds another and changes nothing. */
  attempt: string;
  locked_until: Date;
  status: number | null;
  /** The answer, sealed, for it may carry a token. */
  sealed_body: string | null;
  expires_at: Date;
}

export interface Database
  extends
    CardTestingTables,
    LiveTables,
    MailTables,
    MoneyTables,
    RecurringTables,
    WebhookTables,
    UserTables,
    OauthTables,
    EventTables {
  installation: InstallationTable;
  organization: OrganizationTable;
  fund: FundTable;
  campaign: CampaignTable;
  donor: DonorTable;
  donation: DonationTable;
  payout: PayoutTable;
  api_key: ApiKeyTable;
  embed_session: EmbedSessionTable;
  component_session: ComponentSessionTable;
  payment_intent: PaymentIntentTable;
  reserved_reference: ReservedReferenceTable;
  processor_event: ProcessorEventTable;
  idempotency_key: IdempotencyKeyTable;
}
