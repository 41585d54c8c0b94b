import type { Scope } from '@connect-embed/contract';

/** A row of the specification's endpoint tables. */
interface SpecifiedOperation {
  name: string;
  query?: readonly string[];
  body?: readonly string[];
  answers: string;
  status?: 201;
  /** Absent where the specification shows none, or it follows from the body. */
  scope?: Scope;
}

const LIST = ['limit', 'cursor', 'updated_since'];

/**
 * The specification's own tables, written down by hand: what is generated from our code is held
 * against this, never the other way round.
 */
export const SPECIFIED_OPERATIONS: readonly SpecifiedOperation[] = [
  { name: 'GET /donations', query: LIST, answers: 'DonationList', scope: 'donations:read' },
  { name: 'GET /donations/{id}', answers: 'Donation', scope: 'donations:read' },
  { name: 'GET /donors', query: LIST, answers: 'DonorList', scope: 'donors:read' },
  { name: 'GET /donors/{id}', answers: 'Donor', scope: 'donors:read' },
  { name: 'GET /payouts', query: LIST, answers: 'PayoutList', scope: 'payouts:read' },
  { name: 'GET /payouts/{id}', answers: 'Payout', scope: 'payouts:read' },
  {
    name: 'GET /events',
    query: [...LIST, 'published', 'upcoming'],
    answers: 'EventList',
    scope: 'events:read',
  },
  { name: 'GET /events/{id}', answers: 'Event', scope: 'events:read' },
  {
    name: 'GET /events/{id}/registrations',
    query: [...LIST, 'status'],
    answers: 'RegistrationList',
    scope: 'registrations:read',
  },
  { name: 'GET /campaigns', query: LIST, answers: 'CampaignList', scope: 'reference:read' },
  { name: 'GET /funds', query: LIST, answers: 'FundList', scope: 'reference:read' },
  { name: 'GET /organization', answers: 'Organization', scope: 'reference:read' },
  {
    name: 'POST /payment-intents',
    body: ['amount_cents', 'fund_id', 'donor_email', 'donor_name'],
    answers: 'PaymentIntent',
    status: 201,
    scope: 'payments:write',
  },
  { name: 'POST /embed-sessions', answers: 'EmbedSession', status: 201, scope: 'payments:write' },
  {
    name: 'POST /component-sessions',
    body: ['components'],
    answers: 'ComponentSession',
    status: 201,
  },
  { name: 'GET /webhooks', answers: 'WebhookEndpoints' },
  {
    name: 'POST /webhooks',
    body: ['url', 'events'],
    answers: 'WebhookEndpointWithSecret',
    status: 201,
    scope: 'webhooks:write',
  },
  { name: 'GET /webhooks/{id}', answers: 'WebhookEndpoint' },
  { name: 'PATCH /webhooks/{id}', answers: 'WebhookEndpoint' },
  { name: 'DELETE /webhooks/{id}', answers: 'DeletedWebhookEndpoint' },
  { name: 'POST /webhooks/{id}/rotate-secret', answers: 'WebhookEndpointWithSecret' },
  { name: 'GET /webhooks/{id}/deliveries', query: LIST, answers: 'WebhookDeliveryList' },
];

type FieldType = 'string' | 'integer' | 'boolean' | 'array';

const fields = (types: Partial<Record<FieldType, string>>): Record<string, FieldType> =>
  Object.fromEntries(
    Object.entries(types).flatMap(([type, names]) =>
      names.split(' ').map((name) => [name, type as FieldType]),
    ),
  );

/** The fields of every resource; times are strings. */
export const SPECIFIED_FIELDS = {
  Donation: fields({
    string:
      'id object currency refund_status dispute_status donor_name donor_email fund_id fund_name campaign_id contact_id source source_id created_at',
    integer: 'amount_cents net_amount_cents refunded_amount_cents',
    boolean: 'recurring',
  }),
  Donor: fields({
    string:
      'id object email first_name last_name phone city state postal_code country source created_at updated_at',
  }),
  Payout: fields({
    string: 'id object currency status arrival_date created description statement_descriptor',
    integer: 'amount_cents',
  }),
  Event: fields({
    string:
      'id object slug title description location event_format online_meeting_url timezone pricing_mode starts_at ends_at published_at registration_opens_at registration_closes_at created_at campaign_id fund_id',
    integer: 'price_cents pwyw_min_cents pwyw_suggested_cents capacity',
    boolean: 'allow_waitlist requires_approval published',
    array: 'ticket_types',
  }),
  EventTicketType: fields({
    string: 'id object name description',
    integer: 'price_cents capacity sort_order',
    boolean: 'is_active',
  }),
  Registration: fields({
    string:
      'id object event_id ticket_type_id attendee_name attendee_email attendee_phone status refunded_at checked_in_at created_at source',
    integer: 'quantity amount_paid_cents refunded_cents',
    array: 'attendee_names',
  }),
  Campaign: fields({
    string: 'id object slug name description start_date end_date created_at',
    integer: 'goal_cents',
    boolean: 'is_active',
  }),
  Fund: fields({
    string: 'id object name description type created_at',
    integer: 'goal_cents',
    boolean: 'published',
  }),
  Organization: fields({
    string: 'id object name slug legal_name contact_email website tax_id created_at',
  }),
  WebhookEndpoint: fields({ string: 'id object url description created_at', array: 'events' }),
  WebhookEndpointWithSecret: fields({
    string: 'id object url description created_at secret',
    array: 'events',
  }),
  WebhookDelivery: fields({
    string:
      'id object event_type event_id status last_error next_attempt_at delivered_at created_at',
    integer: 'attempts last_response_status',
  }),
  PaymentIntent: fields({
    string: 'object client_secret payment_intent_id publishable_key stripe_account_id',
  }),
  EmbedSession: fields({ string: 'id object session_token organization_id embed_url expires_at' }),
  ComponentSession: fields({
    string: 'id object token organization_id expires_at',
    array: 'components',
  }),
} as const;
