import type { DonationTerms, Prefill } from '@connect-embed/contract';
import type { ColumnType, Generated, GeneratedAlways, JSONColumnType, Kysely } from 'kysely';
import type { FraudTables } from './tables/fraud.ts';
import type { DonorTables } from './tables/donors.ts';
import type { EventTables } from './tables/events.ts';
import type { FormTables } from './tables/forms.ts';
import type { LiveTables } from './tables/live.ts';
import type { MailTables } from './tables/mail.ts';
import type { PaymentTables } from './tables/payments.ts';
import type { OauthTables } from './tables/oauth.ts';
import type { SubscriptionTables } from './tables/subscriptions.ts';
import type { TotalTables } from './tables/totals.ts';
import type { UserTables } from './tables/users.ts';
import type { WebhookTables } from './tables/webhooks.ts';

/** Set by the database on insert unless a value is given (seed data, import). */
type CreatedAt = ColumnType<Date, Date | undefined, never>;

/** The table `installation`, which has one row. */
interface InstallationTable {
  id: Generated<number>;
  /** A known text, encrypted with the secret of the installation; null before the first start. */
  secret_probe: string | null;
  write_checked_at: Generated<Date>;
}

/** Running processes of the service, by id. */
interface ServiceProcessTable {
  id: string;
  role: 'api' | 'worker' | 'all';
  version: string;
  started_at: Generated<Date>;
  seen_at: Generated<Date>;
}

/** Image formats of logos. SVG is not among them, because it can contain scripts. */
export type LogoMediaType = 'image/png' | 'image/jpeg' | 'image/webp';

/** The logo of an organization. */
interface OrganizationLogoTable {
  organization_id: string;
  /** Hash of the content, for the URL. */
  hash: string;
  media_type: LogoMediaType;
  /** Size in pixels. */
  width: number;
  height: number;
  content: Buffer;
}

interface OrganizationTable {
  id: string;
  name: string;
  slug: string;
  legal_name: string | null;
  contact_email: string | null;
  website: string | null;
  tax_id: string | null;
  currency: string;
  /**
   * The organization's own account at the card processor, which receives its donations. Null before it
   * exists.
   */
  processor_account_id: string | null;
  /** The account whose own keys were removed. */
  removed_account_id: string | null;
  /** Since when payments are made with live keys. Null if the last keys were test keys. */
  live_since: Date | null;
  /** IANA name. Dates on receipts are in this time zone. */
  time_zone: Generated<string>;
  /** Note for the tax office on receipts. */
  receipt_note: string | null;
  /** Whether members need two-step sign-in to refund donations and to change refund permissions. */
  require_second_factor: Generated<boolean>;
  /** When the checklist on the home page was completed or hidden by an owner. */
  checklist_closed_at: Date | null;
  /** When a page first opened one of its published forms; null before. */
  form_shown_at: Date | null;
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
  /** Set when the fund was archived: it accepts no donations, and past donations keep its name. */
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
  /** The email address in lower case. Unique within an organization. */
  email_key: GeneratedAlways<string | null>;
  first_name: string | null;
  last_name: string | null;
  phone: string | null;
  city: string | null;
  state: string | null;
  postal_code: string | null;
  country: string | null;
  source: string;
  /** When a member erased the donor's personal data: docs/decisions/0101-donor-data.md */
  erased_at: Date | null;
  created_at: CreatedAt;
  updated_at: Generated<Date>;
  /** Normalized name, for sorting. */
  name_key: GeneratedAlways<string>;
  /** Search terms: docs/decisions/0045-filters-search-and-sums.md */
  search: GeneratedAlways<string>;
}

interface DonationTable {
  id: string;
  organization_id: string;
  amount_cents: number;
  /** The processor's fees, including those of refunds and disputes. Null until the processor reports them. */
  fee_cents: number | null;
  /** The part of `fee_cents` that disputes cost. */
  dispute_fee_cents: Generated<number>;
  /** The currency of the Stripe account's balance, if it is not the donation's. */
  settlement_currency: string | null;
  settlement_amount_cents: number | null;
  settlement_fee_cents: number | null;
  /** After all fees, refunds and disputes. */
  settlement_net_cents: number | null;
  /** Units of `settlement_currency` for one unit of `currency`. */
  exchange_rate: number | null;
  net_amount_cents: GeneratedAlways<number | null>;
  currency: string;
  recurring: Generated<boolean>;
  refund_status: Generated<string>;
  refunded_amount_cents: Generated<number>;
  dispute_status: Generated<string>;
  /** Sum of disputed amounts that were withdrawn and not returned. */
  disputed_amount_cents: Generated<number>;
  /** The amount less refunds and disputes, at least 0. */
  remaining_amount_cents: GeneratedAlways<number>;
  donor_name: string | null;
  donor_email: string | null;
  fund_id: string | null;
  campaign_id: string | null;
  /** The form of the dashboard through which the donation was made. */
  form_id: string | null;
  contact_id: string | null;
  source: string;
  source_id: string | null;
  /** Id of the payment intent at Stripe; unique, because a payment intent becomes at most one donation. */
  processor_payment_intent_id: string | null;
  /** Row version of the copy of the processor's object: docs/decisions/0033-sync-and-reconciliation.md */
  row_version: Generated<number>;
  /** Id of the recurring plan that this donation belongs to. */
  plan_id: string | null;
  /** The donor's language, as reported by the form. */
  locale: string | null;
  /** When the processor charged the donor: docs/decisions/0051-dates-and-time-zones.md */
  paid_at: CreatedAt;
  /** When the donation was recorded. */
  created_at: CreatedAt;
  /**
   * Short code by which people name the donation. The database assigns a reference if none was reserved:
   * docs/decisions/0086-donation-references.md
   */
  /** Assigned by a trigger on insert where it is null. */
  reference: ColumnType<string, string | null | undefined>;
  /** Stripe's type of the payment method, such as `card`. */
  payment_method: string | null;
  card_brand: string | null;
  /** Id of the payout that contains the payment. Refunds of the payment may be in other payouts. */
  payout_id: string | null;
  /** The donor's normalized name, for sorting. */
  donor_name_key: GeneratedAlways<string>;
  /** Search terms: docs/decisions/0045-filters-search-and-sums.md */
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
  /** False for a payout that a person made at Stripe. */
  automatic: Generated<boolean>;
  /** Row version of the copy of the processor's object: docs/decisions/0033-sync-and-reconciliation.md */
  row_version: Generated<number>;
  created_at: CreatedAt;
  /** Search terms: docs/decisions/0045-filters-search-and-sums.md */
  search: GeneratedAlways<string>;
}

interface ApiKeyTable {
  id: string;
  organization_id: string;
  name: string;
  token_hash: Buffer;
  scopes: string[];
  created_at: CreatedAt;
  /** The member who created the key in the dashboard. Null if it was created on the command line. */
  created_by: string | null;
  revoked_at: Date | null;
}

/** Terms and allowed origins of a form. */
export type StoredTerms = DonationTerms & { origins: string[] };

interface EmbedSessionTable {
  id: string;
  organization_id: string;
  /**
   * The credential that created the session; the session ends when it is revoked. Either
   * `api_key_id` or `grant_id` is set.
   */
  api_key_id: string | null;
  grant_id: string | null;
  token_hash: Buffer;
  /** The published form whose terms the session got. Null if the caller set the terms. */
  form_id: string | null;
  form_version: number | null;
  terms: JSONColumnType<StoredTerms>;
  prefill: JSONColumnType<Prefill>;
  expires_at: Date;
  created_at: CreatedAt;
}

interface ComponentSessionTable {
  id: string;
  organization_id: string;
  /**
   * The credential that created the session; the session ends when it is revoked. Either
   * `api_key_id` or `grant_id` is set.
   */
  api_key_id: string | null;
  grant_id: string | null;
  token_hash: Buffer;
  components: string[];
  masks: string[];
  expires_at: Date;
  created_at: CreatedAt;
}

/** A payment intent that this service created, with its last known state at the processor. */
interface PaymentIntentTable {
  /** Stripe's id, `pi_…`. */
  id: string;
  organization_id: string;
  amount_cents: number;
  currency: string;
  status: 'open' | 'failed' | 'succeeded';
  /** When the processor created the newest event that was applied. */
  status_at: Date | null;
  failure_code: string | null;
  failure_message: string | null;
  /** Number of declined cards. */
  failed_attempts: Generated<number>;
  /** When the intent was closed after too many declined cards. It accepts no further card. */
  closed_at: Date | null;
  /** Id of the recurring plan whose first payment this intent is. */
  plan_id: string | null;
  fund_id: string | null;
  campaign_id: string | null;
  form_id: string | null;
  source: string;
  source_id: string;
  /** Reserved for the donation that the intent becomes. */
  reference: string | null;
  created_at: CreatedAt;
}

/** References that are reserved before their donation exists: docs/decisions/0086-donation-references.md */
interface ReservedReferenceTable {
  organization_id: string;
  reference: string;
  /** Stripe's idempotency key of the request that the reference is reserved for. */
  reserved_for: string;
  created_at: CreatedAt;
}

/** Processed events of the card processor, so that a repeated delivery changes nothing. */
interface ProcessorEventTable {
  id: string;
  organization_id: string;
  type: string;
  received_at: Generated<Date>;
}

/** One `Idempotency-Key` of a credential: docs/decisions/0009-idempotency.md */
interface IdempotencyKeyTable {
  credential_id: string;
  key: string;
  /** SHA-256 of the hash of method, path and body, and of the embed session's fund and campaign. */
  fingerprint: Buffer;
  /** Id of the attempt that holds the lock. A late attempt does not match and changes nothing. */
  attempt_id: string;
  locked_until: Date;
  status: number | null;
  /** The response body, encrypted because it may contain a token. */
  encrypted_body: string | null;
  expires_at: Date;
}

/** Rate limits of credentials: docs/decisions/0024-rate-limit.md */
interface RequestBudgetTable {
  key: string;
  /** Oldest first. */
  request_times: Date[];
}

/** Counters of `rate-limiter-flexible`, for requests without a credential. */
interface RateLimitTable {
  key: string;
  points: Generated<number>;
  /** In milliseconds since 1970. */
  expire: number | null;
}

export interface Database
  extends
    DonorTables,
    FraudTables,
    LiveTables,
    MailTables,
    PaymentTables,
    SubscriptionTables,
    TotalTables,
    WebhookTables,
    UserTables,
    OauthTables,
    EventTables,
    FormTables {
  installation: InstallationTable;
  service_process: ServiceProcessTable;
  organization: OrganizationTable;
  organization_logo: OrganizationLogoTable;
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
  request_budget: RequestBudgetTable;
  rate_limit: RateLimitTable;
}

/** The query builder of the service's database, or of a transaction. */
export type Db = Kysely<Database>;
