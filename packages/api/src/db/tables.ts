// Written by `npm run table-types`. Do not edit it: `schema.sql` has the tables, with comments on their columns.

import type { DonorChangeDetails, Email, EmailDetails, EmailKind, StoredTerms } from "./column-types.ts";
import type { FeeDetail, FormSettings, Prefill } from "@connect-embed/contract";
import type { ColumnType, GeneratedAlways, JSONColumnType } from "kysely";

export type Generated<T> = T extends ColumnType<infer S, infer I, infer U>
  ? ColumnType<S, I | undefined, U>
  : ColumnType<T, T | undefined, T>;

export interface AllowedSite {
  created_at: Generated<Date>;
  id: string;
  organization_id: string;
  origin: string;
}

export interface AllowedSiteRequest {
  created_at: Generated<Date>;
  dismissed_at: Date | null;
  form_name: string | null;
  id: string;
  organization_id: string;
  origin: string;
  refused: Generated<boolean>;
}

export interface ApiKey {
  created_at: Generated<Date>;
  created_by: string | null;
  id: string;
  name: string;
  organization_id: string;
  revoked_at: Date | null;
  scopes: string[];
  token_hash: Buffer;
}

export interface AttackAlarm {
  attempted_cards: number;
  declined_cards: number;
  id: string;
  last_detected_at: Generated<Date>;
  organization_id: string;
  started_at: Generated<Date>;
}

export interface BalanceTransaction {
  amount_cents: number;
  available_on: Date | null;
  created_at: Generated<Date>;
  currency: string;
  donation_id: string | null;
  exchange_rate: number | null;
  fee_cents: number;
  fee_details: JSONColumnType<FeeDetail[], string | undefined>;
  id: string;
  organization_id: string;
  payout_id: string | null;
  processor_payment_intent_id: string | null;
  processor_source_id: string | null;
  processor_transaction_id: string | null;
  reporting_category: string;
}

export interface Campaign {
  archived_at: Date | null;
  created_at: Generated<Date>;
  description: string | null;
  end_date: Date | null;
  goal_cents: number | null;
  id: string;
  is_active: boolean;
  name: string;
  organization_id: string;
  slug: string;
  start_date: Date | null;
}

export interface CardReservation {
  address_hash: string | null;
  card_count: number;
  created_at: Generated<Date>;
  ended_at: Date | null;
  form_key: string;
  has_proof_of_work: boolean;
  id: string;
  max_declines: number;
  organization_id: string;
  payment_intent_id: string | null;
  retry_at: Date | null;
}

export interface ComponentSession {
  api_key_id: string | null;
  components: string[];
  created_at: Generated<Date>;
  expires_at: Date;
  grant_id: string | null;
  id: string;
  masks: string[];
  organization_id: string;
  token_hash: Buffer;
}

export interface DevelopmentMail {
  email: JSONColumnType<Email>;
  mail_id: string;
  sent_at: Generated<Date>;
}

export interface Donation {
  amount_cents: number;
  campaign_id: string | null;
  card_brand: string | null;
  comment: string | null;
  contact_id: string | null;
  created_at: Generated<Date>;
  currency: string;
  dedication: string | null;
  dispute_fee_cents: Generated<number>;
  dispute_status: Generated<"lost" | "none" | "open" | "won">;
  disputed_amount_cents: Generated<number>;
  donor_email: string | null;
  donor_name: string | null;
  donor_name_key: GeneratedAlways<string>;
  exchange_rate: number | null;
  fee_cents: number | null;
  fee_cover_cents: Generated<number>;
  form_id: string | null;
  form_name: string | null;
  fund_id: string | null;
  id: string;
  livemode: Generated<boolean>;
  locale: string | null;
  net_amount_cents: GeneratedAlways<number | null>;
  organization_id: string;
  page_origin: string | null;
  paid_at: Generated<Date>;
  payment_method: string | null;
  payout_id: string | null;
  plan_id: string | null;
  processor_payment_intent_id: string | null;
  recovered: Generated<boolean>;
  recurring: Generated<boolean>;
  reference: ColumnType<string, string | null | undefined>;
  refund_status: Generated<"full" | "none" | "partial">;
  refunded_amount_cents: Generated<number>;
  remaining_amount_cents: GeneratedAlways<number>;
  row_version: Generated<number>;
  search: GeneratedAlways<string>;
  settlement_amount_cents: number | null;
  settlement_currency: string | null;
  settlement_fee_cents: number | null;
  settlement_net_cents: number | null;
  source: "api" | "embed" | "import";
  source_id: string | null;
}

export interface DonationDispute {
  amount_cents: number;
  created_at: Generated<Date>;
  donation_id: string;
  evidence_due_at: Date | null;
  id: string;
  organization_id: string;
  processor_dispute_id: string;
  reason: string | null;
  status: "inquiry" | "lost" | "none" | "open" | "won";
}

export interface DonationTotal {
  campaign_id: string;
  currency: string;
  dispute_fee_cents: number;
  disputed_cents: number;
  donations: number;
  fee_cents: number;
  gross_cents: number;
  known_fees: number;
  livemode: boolean;
  net_cents: number;
  organization_id: string;
  period: "day" | "hour";
  raised_cents: number;
  refunded_cents: number;
  starts_at: Date;
}

export interface DonationTotalChange {
  campaign_id: string | null;
  currency: string;
  dispute_fee_cents: number;
  disputed_cents: number;
  donations: number;
  fee_cents: number;
  gross_cents: number;
  id: GeneratedAlways<number>;
  known_fees: number;
  livemode: boolean;
  net_cents: number;
  organization_id: string;
  raised_cents: number;
  refunded_cents: number;
  starts_at: Date;
}

export interface Donor {
  city: string | null;
  country: string | null;
  created_at: Generated<Date>;
  email: string | null;
  email_key: GeneratedAlways<string | null>;
  erased_at: Date | null;
  first_name: string | null;
  id: string;
  last_name: string | null;
  merged_into: string | null;
  name_key: GeneratedAlways<string>;
  organization_id: string;
  phone: string | null;
  postal_code: string | null;
  search: GeneratedAlways<string>;
  source: string;
  state: string | null;
  updated_at: Generated<Date>;
}

export interface DonorChange {
  created_at: Generated<Date>;
  details: JSONColumnType<DonorChangeDetails, string | undefined>;
  donation_id: string | null;
  donor_id: string;
  id: string;
  organization_id: string;
  person_id: string;
  type: "corrected" | "erased" | "exported" | "merged" | "receipt_sent";
}

export interface DonorNote {
  author_id: string | null;
  created_at: Generated<Date>;
  donor_id: string;
  edited_at: Date | null;
  id: string;
  organization_id: string;
  text: string;
}

export interface EmbedSession {
  api_key_id: string | null;
  created_at: Generated<Date>;
  expires_at: Date;
  form_id: string | null;
  form_name: string | null;
  form_version: number | null;
  grant_id: string | null;
  id: string;
  organization_id: string;
  prefill: JSONColumnType<Prefill>;
  terms: JSONColumnType<StoredTerms>;
  token_hash: Buffer;
}

export interface Event {
  allow_waitlist: Generated<boolean>;
  campaign_id: string | null;
  cancelled_at: Date | null;
  capacity: number | null;
  created_at: Generated<Date>;
  description: string | null;
  ends_at: Date | null;
  event_format: "hybrid" | "in_person" | "online";
  fund_id: string | null;
  id: string;
  location: string | null;
  online_meeting_url: string | null;
  organization_id: string;
  price_cents: number | null;
  pricing_mode: "fixed" | "free" | "pay_what_you_want" | "ticketed";
  published: GeneratedAlways<boolean>;
  published_at: Date | null;
  pwyw_min_cents: number | null;
  pwyw_suggested_cents: number | null;
  registration_closes_at: Date | null;
  registration_opens_at: Date | null;
  requires_approval: Generated<boolean>;
  slug: string;
  starts_at: Date;
  timezone: string;
  title: string;
}

export interface EventTicketType {
  capacity: number | null;
  description: string | null;
  event_id: string;
  id: string;
  is_active: Generated<boolean>;
  name: string;
  price_cents: number;
  sort_order: Generated<number>;
}

export interface Form {
  closed_at: Date | null;
  created_at: Generated<Date>;
  draft: JSONColumnType<FormSettings>;
  draft_revision: Generated<number>;
  id: string;
  live_version: number | null;
  name: string;
  organization_id: string;
  slug: string;
}

export interface FormPicture {
  content: Buffer;
  hash: string;
  organization_id: string;
}

export interface FormPreview {
  created_at: Generated<Date>;
  id: string;
  language: string;
  organization_id: string;
  settings: JSONColumnType<FormSettings>;
  theme: "dark" | "light";
}

export interface FormVersion {
  form_id: string;
  organization_id: string;
  published_at: Generated<Date>;
  published_by: string | null;
  settings: JSONColumnType<FormSettings>;
  version: number;
}

export interface Fund {
  archived_at: Date | null;
  created_at: Generated<Date>;
  description: string | null;
  goal_cents: number | null;
  id: string;
  name: string;
  organization_id: string;
  published: boolean;
  type: "endowment" | "restricted" | "unrestricted";
}

export interface IdempotencyKey {
  attempt_id: string;
  credential_id: string;
  encrypted_body: string | null;
  expires_at: Date;
  fingerprint: Buffer;
  key: string;
  locked_until: Date;
  status: number | null;
}

export interface Installation {
  id: Generated<number>;
  secret_probe: string | null;
  write_checked_at: Generated<Date>;
}

export interface Invitation {
  accepted_at: Date | null;
  created_at: Generated<Date>;
  email: string;
  expires_at: Date;
  id: string;
  invited_by: string | null;
  organization_id: string;
  permissions: Generated<string[]>;
  role: "admin" | "member" | "owner";
  token_hash: Buffer;
}

export interface LiveStream {
  id: string;
  opened_at: Generated<Date>;
  organization_id: string;
  process: string;
  seen_at: Generated<Date>;
  session_id: string;
}

export interface Mail {
  attempts: Generated<number>;
  created_at: Generated<Date>;
  deduplication_key: string;
  details: JSONColumnType<EmailDetails, string | undefined>;
  donation_id: string | null;
  id: string;
  kind: EmailKind;
  last_error: string | null;
  leased_until: Date | null;
  next_attempt_at: Generated<Date | null>;
  organization_id: string;
  payment_intent_id: string | null;
  plan_id: string | null;
  sent_at: Date | null;
  status: Generated<"failed" | "pending" | "sent">;
}

export interface Membership {
  created_at: Generated<Date>;
  organization_id: string;
  permissions: Generated<string[]>;
  person_id: string;
  role: "admin" | "member" | "owner";
}

export interface OauthApp {
  created_at: Generated<Date>;
  id: string;
  name: string;
  person_id: string;
  redirect_uris: string[];
  secret_hash: Buffer;
}

export interface OauthConnection {
  app_id: string;
  created_at: Generated<Date>;
  id: string;
  organization_id: string;
  revoked_at: Date | null;
}

export interface OauthGrant {
  connection_id: string;
  created_at: Generated<Date>;
  id: string;
  person_id: string;
  scopes: string[];
}

export interface OauthInteraction {
  expires_at: Date;
  payload: JSONColumnType<Record<string, unknown>>;
  uid_hash: Buffer;
}

export interface OauthToken {
  consumed_at: Date | null;
  created_at: Generated<Date>;
  expires_at: Date;
  grant_id: string;
  kind: "access" | "code" | "refresh";
  payload: JSONColumnType<Record<string, unknown>>;
  scopes: string[];
  token_hash: Buffer;
}

export interface Organization {
  checklist_closed_at: Date | null;
  contact_email: string | null;
  created_at: Generated<Date>;
  currency: string;
  form_shown_at: Date | null;
  id: string;
  legal_name: string | null;
  live_since: Date | null;
  name: string;
  payment_method_types: Generated<string[]>;
  processor_account_id: string | null;
  receipt_message: string | null;
  receipt_note: string | null;
  removed_account_id: string | null;
  require_second_factor: Generated<boolean>;
  slug: string;
  tax_id: string | null;
  time_zone: Generated<string>;
  website: string | null;
}

export interface OrganizationLogo {
  content: Buffer;
  hash: string;
  height: number;
  media_type: "image/jpeg" | "image/png" | "image/webp";
  organization_id: string;
  width: number;
}

export interface PaymentDomain {
  apple_pay: string | null;
  checked_at: Date | null;
  created_at: Generated<Date>;
  domain: string;
  google_pay: string | null;
  organization_id: string;
  problem: string | null;
  processor_domain_id: string | null;
}

export interface PaymentIntent {
  amount_cents: number;
  campaign_id: string | null;
  closed_at: Date | null;
  created_at: Generated<Date>;
  currency: string;
  donor_email: string | null;
  donor_name: string | null;
  expected_at: Date | null;
  failed_attempts: Generated<number>;
  failure_code: string | null;
  failure_message: string | null;
  form_id: string | null;
  form_name: string | null;
  fund_id: string | null;
  id: string;
  is_renewal: Generated<boolean>;
  livemode: Generated<boolean>;
  locale: string | null;
  organization_id: string;
  payment_method: string | null;
  plan_id: string | null;
  reference: string | null;
  source: "api" | "embed";
  source_id: string;
  status: "failed" | "open" | "processing" | "succeeded";
  status_at: Date | null;
}

export interface Payout {
  amount_cents: number;
  arrival_date: Date;
  automatic: Generated<boolean>;
  created_at: Generated<Date>;
  currency: string;
  description: string | null;
  failure_message: string | null;
  id: string;
  livemode: Generated<boolean>;
  missing_cents: number | null;
  organization_id: string;
  processor_payout_id: string | null;
  row_version: Generated<number>;
  search: GeneratedAlways<string>;
  statement_descriptor: string | null;
  status: "canceled" | "failed" | "in_transit" | "paid" | "pending";
  trace_id: string | null;
}

export interface Person {
  created_at: Generated<Date>;
  email: string;
  email_verified: boolean;
  id: string;
  image: string | null;
  name: string;
  two_factor_enabled: Generated<boolean>;
  updated_at: Generated<Date>;
}

export interface ProcessorAccount {
  charges_enabled: boolean;
  details_submitted: boolean;
  disabled_reason: string | null;
  fetched_at: Generated<Date>;
  id: string;
  organization_id: string;
  payment_method_types: Generated<string[]>;
  payouts_enabled: boolean;
  requirements_due: Generated<string[]>;
  row_version: Generated<number>;
}

export interface ProcessorEvent {
  id: string;
  is_card: Generated<boolean>;
  organization_id: string;
  received_at: Generated<Date>;
  type: string;
}

export interface ProcessorTurn {
  is_taken: boolean;
  place: GeneratedAlways<number>;
  queue: string;
  request_key: string;
  turn_second: number;
}

export interface RateLimit {
  expire: number | null;
  key: string;
  points: Generated<number>;
}

export interface Reconciliation {
  compared_at: Date | null;
  events_processed_until: Date | null;
  last_run_at: Date | null;
  livemode: boolean;
  organization_id: string;
}

export interface RecurringPlan {
  amount_cents: number;
  amounts: string;
  campaign_id: string | null;
  canceled_at: Date | null;
  card_label: string | null;
  created_at: Generated<Date>;
  currency: string;
  donor_email: string | null;
  donor_name: string | null;
  failed_attempts: number | null;
  failed_invoice_id: string | null;
  failure_code: string | null;
  fee_cover: string | null;
  form_id: string | null;
  frequency: "monthly" | "quarterly" | "yearly";
  fund_id: string | null;
  id: string;
  link_epoch: Generated<number>;
  livemode: Generated<boolean>;
  locale: string | null;
  next_attempt_at: Date | null;
  next_payment_at: Date | null;
  organization_id: string;
  payment_method_id: string | null;
  payment_method_lost_at: Date | null;
  payment_method_types: string[] | null;
  processor_customer_id: string;
  processor_subscription_id: string;
  row_version: Generated<number>;
  source: "api" | "embed" | "import";
  source_id: string | null;
  status: "active" | "canceled" | "incomplete" | "past_due" | "paused";
}

export interface Refund {
  amount_cents: number;
  created_at: Generated<Date>;
  donation_id: string;
  failure_reason: string | null;
  id: string;
  idempotency_key: string | null;
  note: string | null;
  organization_id: string;
  processor_refund_id: string | null;
  reason: string | null;
  refunded_before_cents: number | null;
  requested_by: string | null;
  status: "failed" | "requested" | "submitted" | "succeeded";
}

export interface Registration {
  amount_paid_cents: Generated<number>;
  attendee_email: string | null;
  attendee_name: string | null;
  attendee_names: Generated<string[]>;
  attendee_phone: string | null;
  check_in_hash: Buffer | null;
  checked_in_at: Date | null;
  created_at: Generated<Date>;
  event_id: string;
  id: string;
  organization_id: string;
  processor_payment_intent_id: string | null;
  quantity: Generated<number>;
  refunded_at: Date | null;
  refunded_cents: Generated<number>;
  source: string;
  status: "cancelled" | "checked_in" | "confirmed" | "pending" | "refunded" | "waitlisted";
  tax_cents: number | null;
  tax_country: string | null;
  ticket_type_id: string | null;
}

export interface RequestBudget {
  key: string;
  request_times: Date[];
}

export interface ReservedReference {
  created_at: Generated<Date>;
  organization_id: string;
  reference: string;
  reserved_for: string;
}

export interface ResourceChange {
  created_at: Generated<Date>;
  kind: string;
  organization_id: string;
  resource_id: string;
  seq: GeneratedAlways<number>;
  xid: Generated<string>;
}

export interface ServiceProcess {
  id: string;
  role: "all" | "api" | "worker";
  seen_at: Generated<Date>;
  started_at: Generated<Date>;
  version: string;
}

export interface SetupLink {
  cookie_hash: Buffer | null;
  expires_at: Date;
  token_hash: Buffer;
}

export interface SignInMethod {
  access_token: string | null;
  access_token_expires_at: Date | null;
  account_id: string;
  created_at: Generated<Date>;
  id: string;
  id_token: string | null;
  password: string | null;
  person_id: string;
  provider_id: string;
  refresh_token: string | null;
  refresh_token_expires_at: Date | null;
  scope: string | null;
  updated_at: Generated<Date>;
}

export interface SignInSecondFactor {
  backup_codes: string;
  failed_verification_count: Generated<number>;
  id: string;
  locked_until: Date | null;
  person_id: string;
  secret: string;
  verified: Generated<boolean>;
}

export interface SignInSession {
  created_at: Generated<Date>;
  expires_at: Date;
  id: string;
  ip_address: string | null;
  person_id: string;
  token: string;
  updated_at: Generated<Date>;
  user_agent: string | null;
}

export interface SignInVerification {
  created_at: Generated<Date>;
  expires_at: Date;
  id: string;
  identifier: string;
  updated_at: Generated<Date>;
  value: string;
}

export interface StripeKey {
  created_at: Generated<Date>;
  encrypted_secret_key: string;
  encrypted_webhook_secret: string | null;
  livemode: boolean;
  organization_id: string;
  publishable_key: string;
  secret_key_end: string;
  webhook_endpoint_id: string | null;
}

export interface WebhookAttempt {
  delivery_id: string;
  duration_ms: number;
  error: string | null;
  number: number;
  response_status: number | null;
  started_at: Date;
}

export interface WebhookDelivery {
  attempts: Generated<number>;
  attempts_before_redelivery: Generated<number>;
  created_at: Generated<Date>;
  delivered_at: Date | null;
  endpoint_id: string;
  event_id: string;
  event_type: string;
  id: string;
  last_error: string | null;
  last_response_status: number | null;
  leased_until: Date | null;
  next_attempt_at: Generated<Date | null>;
  organization_id: string;
  status: Generated<"delivered" | "failed" | "pending">;
}

export interface WebhookEndpoint {
  created_at: Generated<Date>;
  credential_id: string | null;
  description: string | null;
  disabled_at: Date | null;
  disabled_reason: "failing" | "gone" | "paused" | "revoked" | null;
  encrypted_previous_secret: string | null;
  encrypted_secret: string;
  events: string[];
  failing_since: Date | null;
  id: string;
  last_failed_at: Date | null;
  organization_id: string;
  previous_secret_until: Date | null;
  slow: Generated<boolean>;
  url: string;
}

export interface WebhookEvent {
  body: string;
  created_at: Generated<Date>;
  id: string;
  organization_id: string;
  transaction_id: Generated<string>;
  type: string;
}

export interface DB {
  allowed_site: AllowedSite;
  allowed_site_request: AllowedSiteRequest;
  api_key: ApiKey;
  attack_alarm: AttackAlarm;
  balance_transaction: BalanceTransaction;
  campaign: Campaign;
  card_reservation: CardReservation;
  component_session: ComponentSession;
  development_mail: DevelopmentMail;
  donation: Donation;
  donation_dispute: DonationDispute;
  donation_total: DonationTotal;
  donation_total_change: DonationTotalChange;
  donor: Donor;
  donor_change: DonorChange;
  donor_note: DonorNote;
  embed_session: EmbedSession;
  event: Event;
  event_ticket_type: EventTicketType;
  form: Form;
  form_picture: FormPicture;
  form_preview: FormPreview;
  form_version: FormVersion;
  fund: Fund;
  idempotency_key: IdempotencyKey;
  installation: Installation;
  invitation: Invitation;
  live_stream: LiveStream;
  mail: Mail;
  membership: Membership;
  oauth_app: OauthApp;
  oauth_connection: OauthConnection;
  oauth_grant: OauthGrant;
  oauth_interaction: OauthInteraction;
  oauth_token: OauthToken;
  organization: Organization;
  organization_logo: OrganizationLogo;
  payment_domain: PaymentDomain;
  payment_intent: PaymentIntent;
  payout: Payout;
  person: Person;
  processor_account: ProcessorAccount;
  processor_event: ProcessorEvent;
  processor_turn: ProcessorTurn;
  rate_limit: RateLimit;
  reconciliation: Reconciliation;
  recurring_plan: RecurringPlan;
  refund: Refund;
  registration: Registration;
  request_budget: RequestBudget;
  reserved_reference: ReservedReference;
  resource_change: ResourceChange;
  service_process: ServiceProcess;
  setup_link: SetupLink;
  sign_in_method: SignInMethod;
  sign_in_second_factor: SignInSecondFactor;
  sign_in_session: SignInSession;
  sign_in_verification: SignInVerification;
  stripe_key: StripeKey;
  webhook_attempt: WebhookAttempt;
  webhook_delivery: WebhookDelivery;
  webhook_endpoint: WebhookEndpoint;
  webhook_event: WebhookEvent;
}
