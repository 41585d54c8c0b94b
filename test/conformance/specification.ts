import type { Scope } from '@connect-embed/contract';

/**
 * The specification's tables, written by hand. Tests compare generated documents and responses with
 * them; the tables are never generated.
 */

/** A row of the specification's endpoint tables. */
export interface SpecifiedOperation {
  name: string;
  query?: readonly string[];
  /**
   * Query parameters that our API has in addition to the specification:
   * docs/decisions/0045-filters-search-and-sums.md
   */
  additionalQuery?: readonly string[];
  body?: readonly string[];
  /** Name of the response schema in the OpenAPI document: a resource, a list, or another response. */
  responseSchema: string;
  status?: 201;
  /** Undefined if the specification names none, or if it depends on the body. */
  scope?: Scope;
}

const LIST = ['limit', 'cursor', 'updated_since'];
const FILTERS = [
  'created_from',
  'created_to',
  'fund_id',
  'campaign_id',
  'recurring',
  'refund_status',
  'dispute_status',
  'amount_from_cents',
  'amount_to_cents',
  'payment_method',
  'card_brand',
  'payout_id',
  'livemode',
  'q',
  'sort',
];

export const SPECIFIED_OPERATIONS: readonly SpecifiedOperation[] = [
  {
    name: 'GET /donations',
    query: LIST,
    additionalQuery: FILTERS,
    responseSchema: 'DonationList',
    scope: 'donations:read',
  },
  { name: 'GET /donations/{id}', responseSchema: 'Donation', scope: 'donations:read' },
  {
    name: 'GET /donors',
    query: LIST,
    additionalQuery: [
      ...['created_from', 'created_to', 'q', 'sort'],
      ...['donated_from', 'donated_to', 'recurring'],
    ],
    responseSchema: 'DonorList',
    scope: 'donors:read',
  },
  { name: 'GET /donors/{id}', responseSchema: 'Donor', scope: 'donors:read' },
  {
    name: 'GET /payouts',
    query: LIST,
    additionalQuery: [
      ...['created_from', 'created_to', 'arrival_from', 'arrival_to', 'status', 'livemode'],
      ...['amount_from_cents', 'amount_to_cents', 'q', 'sort'],
    ],
    responseSchema: 'PayoutList',
    scope: 'payouts:read',
  },
  { name: 'GET /payouts/{id}', responseSchema: 'Payout', scope: 'payouts:read' },
  {
    name: 'GET /events',
    query: [...LIST, 'published', 'upcoming'],
    responseSchema: 'EventList',
    scope: 'events:read',
  },
  { name: 'GET /events/{id}', responseSchema: 'Event', scope: 'events:read' },
  {
    name: 'GET /events/{id}/registrations',
    query: [...LIST, 'status'],
    responseSchema: 'RegistrationList',
    scope: 'registrations:read',
  },
  { name: 'GET /campaigns', query: LIST, responseSchema: 'CampaignList', scope: 'reference:read' },
  { name: 'GET /funds', query: LIST, responseSchema: 'FundList', scope: 'reference:read' },
  { name: 'GET /organization', responseSchema: 'Organization', scope: 'reference:read' },
  {
    name: 'POST /payment-intents',
    body: ['amount_cents', 'fund_id', 'donor_email', 'donor_name'],
    responseSchema: 'PaymentIntent',
    status: 201,
    scope: 'payments:write',
  },
  {
    name: 'POST /embed-sessions',
    responseSchema: 'EmbedSession',
    status: 201,
    scope: 'payments:write',
  },
  {
    name: 'POST /component-sessions',
    body: ['components'],
    responseSchema: 'ComponentSession',
    status: 201,
  },
  { name: 'GET /webhooks', responseSchema: 'WebhookEndpoints' },
  {
    name: 'POST /webhooks',
    body: ['url', 'events'],
    responseSchema: 'WebhookEndpointWithSecret',
    status: 201,
    scope: 'webhooks:write',
  },
  { name: 'GET /webhooks/{id}', responseSchema: 'WebhookEndpoint' },
  { name: 'PATCH /webhooks/{id}', responseSchema: 'WebhookEndpoint' },
  { name: 'DELETE /webhooks/{id}', responseSchema: 'DeletedWebhookEndpoint' },
  { name: 'POST /webhooks/{id}/rotate-secret', responseSchema: 'WebhookEndpointWithSecret' },
  { name: 'GET /webhooks/{id}/deliveries', query: LIST, responseSchema: 'WebhookDeliveryList' },
];

/** Operations that are not in the specification. */
export const ADDITIONAL_OPERATIONS = [
  'GET /donations/summary',
  'GET /donations/series',
  'GET /donations/export.csv',
  'GET /donations/funds',
  'GET /recurring-plans',
  'GET /recurring-plans/{id}',
  'GET /donors/summary',
  'GET /donors/export.csv',
  'GET /payouts/summary',
  'GET /payouts/export.csv',
  'GET /payouts/{id}/transactions',
  'GET /campaigns/{id}/progress',
  'GET /allowed-sites',
  'POST /allowed-site-requests',
  'GET /forms',
  'GET /forms/{id}',
  'GET /payment-intents',
  'GET /payment-intents/{payment_intent_id}',
  'GET /embed-sessions/current',
  'GET /live',
  'POST /webhooks/{id}/test',
  'POST /webhooks/{id}/deliveries/{delivery_id}/redeliver',
];

export type FieldType =
  'string' | 'date-time' | 'integer' | 'boolean' | 'array of string' | 'array of event_ticket_type';

type Fields = Readonly<Record<string, FieldType>>;

const fields = (types: Partial<Record<FieldType, string>>): Fields =>
  Object.fromEntries(
    Object.entries(types).flatMap(([type, names]) =>
      names.split(' ').map((name) => [name, type as FieldType]),
    ),
  );

const ENDPOINT: Fields = fields({
  string: 'id object url description',
  'array of string': 'events',
  'date-time': 'created_at',
});

/** The fields of every resource, by its `object` value. */
export const SPECIFIED_FIELDS = {
  donation: fields({
    string:
      'id object currency refund_status dispute_status donor_name donor_email fund_id fund_name campaign_id contact_id source source_id',
    integer: 'amount_cents net_amount_cents refunded_amount_cents',
    boolean: 'recurring',
    'date-time': 'created_at',
  }),
  donor: fields({
    string: 'id object email first_name last_name phone city state postal_code country source',
    'date-time': 'created_at updated_at',
  }),
  payout: fields({
    string: 'id object currency status description statement_descriptor',
    integer: 'amount_cents',
    'date-time': 'arrival_date created',
  }),
  event: fields({
    string:
      'id object slug title description location event_format online_meeting_url timezone pricing_mode campaign_id fund_id',
    'date-time':
      'starts_at ends_at published_at registration_opens_at registration_closes_at created_at',
    integer: 'price_cents pwyw_min_cents pwyw_suggested_cents capacity',
    boolean: 'allow_waitlist requires_approval published',
    'array of event_ticket_type': 'ticket_types',
  }),
  event_ticket_type: fields({
    string: 'id object name description',
    integer: 'price_cents capacity sort_order',
    boolean: 'is_active',
  }),
  registration: fields({
    string:
      'id object event_id ticket_type_id attendee_name attendee_email attendee_phone status source',
    integer: 'quantity amount_paid_cents refunded_cents',
    'array of string': 'attendee_names',
    'date-time': 'refunded_at checked_in_at created_at',
  }),
  campaign: fields({
    string: 'id object slug name description',
    integer: 'goal_cents',
    boolean: 'is_active',
    'date-time': 'start_date end_date created_at',
  }),
  fund: fields({
    string: 'id object name description type',
    integer: 'goal_cents',
    boolean: 'published',
    'date-time': 'created_at',
  }),
  organization: fields({
    string: 'id object name slug legal_name contact_email website tax_id',
    'date-time': 'created_at',
  }),
  webhook_endpoint: ENDPOINT,
  /** A webhook endpoint in the two responses that include its secret. */
  webhook_endpoint_with_secret: { ...ENDPOINT, secret: 'string' },
  webhook_delivery: fields({
    string: 'id object event_type event_id status last_error',
    integer: 'attempts last_response_status',
    'date-time': 'next_attempt_at delivered_at created_at',
  }),
  payment_intent: fields({
    string: 'object client_secret payment_intent_id publishable_key stripe_account_id',
  }),
  embed_session: fields({
    string: 'id object session_token organization_id embed_url',
    'date-time': 'expires_at',
  }),
  component_session: fields({
    string: 'id object token organization_id',
    'array of string': 'components',
    'date-time': 'expires_at',
  }),
} as const satisfies Record<string, Fields>;

/** Fields beyond the specification, always present. */
export const ADDED_FIELDS: Partial<Record<keyof typeof SPECIFIED_FIELDS, readonly string[]>> = {
  donation: [
    'reference',
    'fee_cents',
    'payment_method',
    'card_brand',
    'payout_id',
    'campaign_name',
    'disputed_amount_cents',
    'dispute_fee_cents',
    'settlement_amount_cents',
    'settlement_fee_cents',
    'settlement_net_cents',
    'settlement_currency',
    'exchange_rate',
    'livemode',
    'dedication',
    'comment',
    'form_id',
    'form_name',
    'page_origin',
  ],
  component_session: ['organization_name'],
  organization: ['logo_url'],
  payment_intent: ['reference'],
  payout: ['automatic', 'trace_id', 'livemode'],
};

/** Fields beyond the specification that are present only in responses to some requests. */
export const OPTIONAL_FIELDS: typeof ADDED_FIELDS = {
  component_session: ['masks'],
  embed_session: ['form'],
};

export type ResourceName = keyof typeof SPECIFIED_FIELDS;
export const RESOURCE_NAMES = Object.keys(SPECIFIED_FIELDS) as ResourceName[];

/**
 * The scopes of the specification. Apps can also request `offline_access`, which the specification
 * does not list as a scope.
 */
export const SPECIFIED_SCOPES: readonly Scope[] = [
  'donations:read',
  'donors:read',
  'payouts:read',
  'events:read',
  'registrations:read',
  'reference:read',
  'payments:write',
  'webhooks:write',
];

/** The title of the test of a field. */
export const fieldTitle = (resource: string, field: string, type: FieldType): string =>
  `${resource}.${field} is ${type === 'integer' || type.startsWith('array') ? 'an' : 'a'} ${type}`;
