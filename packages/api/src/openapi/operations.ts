import type { ResponseName } from './schemas.ts';

/** The parts of an operation that its middleware does not define: its name, tag and response. */
export interface Operation {
  /** Name of the method in a generated client. */
  id: string;
  tag: Tag;
  summary: string;
  description?: string;
  response: ResponseName;
  status?: 201;
  /** Content type of the response if it is not JSON. */
  contentType?: 'text/event-stream';
  /** Request headers with their descriptions. */
  headers?: Readonly<Record<string, string>>;
  /** Not in the specification (`x-additive`): other servers may lack it. */
  additive?: true;
  /** Description of the required scopes if they depend on the body. */
  scope?: string;
}

export const TAGS = {
  Donations: 'Gifts that the processor has reported as paid.',
  Donors: 'People and households who gave.',
  Payouts: 'Deposits to the organization’s bank account.',
  Events: 'Gatherings with their ticket types, drafts included, and who registered.',
  Reference: 'Campaigns, funds and the organization itself, so that ids resolve.',
  Giving: 'Payment intents and the sessions of embedded forms and tables.',
  Webhooks: 'The credential’s own endpoints, and what was sent to them.',
} as const;
type Tag = keyof typeof TAGS;

const NEWEST_FIRST = 'Newest first; pass `next_cursor` as `cursor` until `has_more` is false.';

const list = (id: string, tag: Tag, summary: string, response: ResponseName): Operation => ({
  id,
  tag,
  summary,
  description: NEWEST_FIRST,
  response,
});

/** Every operation by method and path. A test fails for a route without an entry. */
export const OPERATIONS: Readonly<Record<string, Operation>> = {
  'GET /donations': list('listDonations', 'Donations', 'List donations', 'DonationList'),
  'GET /donations/{id}': {
    id: 'getDonation',
    tag: 'Donations',
    summary: 'Read a donation',
    response: 'Donation',
  },
  'GET /donations/summary': {
    id: 'sumDonations',
    tag: 'Donations',
    summary: 'Count and add up donations',
    description: 'One row a currency; `net_cents` is null until every fee is known.',
    response: 'DonationSummary',
    additive: true,
  },
  'GET /donations/series': {
    id: 'sumDonationsOverTime',
    tag: 'Donations',
    summary: 'Count and add up donations by day, week, month or year',
    description:
      'Oldest first, steps without a gift included, 400 at the most; their sums are those of the summary.',
    response: 'DonationSeries',
    additive: true,
  },
  'GET /donations/funds': {
    ...list(
      'listDonationFunds',
      'Donations',
      'List the funds that donations were made to',
      'DonationFundList',
    ),
    additive: true,
  },
  'GET /recurring-plans': {
    ...list('listRecurringPlans', 'Donations', 'List gifts that repeat', 'RecurringPlanList'),
    additive: true,
  },
  'GET /recurring-plans/{id}': {
    id: 'getRecurringPlan',
    tag: 'Donations',
    summary: 'Read a gift that repeats',
    response: 'RecurringPlan',
    additive: true,
  },
  'GET /donors': list('listDonors', 'Donors', 'List donors', 'DonorList'),
  'GET /donors/{id}': { id: 'getDonor', tag: 'Donors', summary: 'Read a donor', response: 'Donor' },
  'GET /donors/summary': {
    id: 'countDonors',
    tag: 'Donors',
    summary: 'Count donors',
    response: 'DonorSummary',
    additive: true,
  },
  'GET /payouts': list('listPayouts', 'Payouts', 'List payouts', 'PayoutList'),
  'GET /payouts/{id}': {
    id: 'getPayout',
    tag: 'Payouts',
    summary: 'Read a payout',
    response: 'Payout',
  },
  'GET /payouts/summary': {
    id: 'sumPayouts',
    tag: 'Payouts',
    summary: 'Count and add up payouts',
    description: 'One row a currency.',
    response: 'PayoutSummary',
    additive: true,
  },
  'GET /payouts/{id}/donations': {
    ...list(
      'listPayoutDonations',
      'Payouts',
      'List what a payout is made of',
      'PayoutDonationList',
    ),
    additive: true,
  },
  'GET /events': list('listEvents', 'Events', 'List events', 'EventList'),
  'GET /events/{id}': {
    id: 'getEvent',
    tag: 'Events',
    summary: 'Read an event',
    response: 'Event',
  },
  'GET /events/{id}/registrations': list(
    'listRegistrations',
    'Events',
    'List who registered for an event',
    'RegistrationList',
  ),
  'GET /campaigns': list('listCampaigns', 'Reference', 'List campaigns', 'CampaignList'),
  'GET /campaigns/{id}/progress': {
    id: 'getCampaignProgress',
    tag: 'Reference',
    summary: 'Read what a campaign has raised',
    description:
      'Gifts in the organization’s currency, payments of plans among them, less what was refunded ' +
      'and what disputes have taken. Sums alone: it may be shown to anybody.',
    response: 'CampaignProgress',
    additive: true,
  },
  'GET /funds': list('listFunds', 'Reference', 'List funds', 'FundList'),
  'GET /organization': {
    id: 'getOrganization',
    tag: 'Reference',
    summary: 'Read the organization that the token acts for',
    response: 'Organization',
  },
  'POST /payment-intents': {
    id: 'createPaymentIntent',
    tag: 'Giving',
    summary: 'Start a gift',
    description:
      'The money settles in the organization’s own processor account; the card never passes here. ' +
      'An embed session’s own token may be the bearer in place of a credential with the scope.',
    response: 'PaymentIntent',
    status: 201,
  },
  'GET /payment-intents/{payment_intent_id}': {
    id: 'getPaymentIntentStatus',
    tag: 'Giving',
    summary: 'What became of a gift',
    description:
      'Only for what opened it: the embed session, or the key or app behind the session. ' +
      'Tells nothing of the donor.',
    response: 'PaymentIntentStatus',
    additive: true,
  },
  'POST /embed-sessions': {
    id: 'createEmbedSession',
    tag: 'Giving',
    summary: 'Fix the terms of a donation form for an hour',
    response: 'EmbedSession',
    status: 201,
  },
  'GET /embed-sessions/current': {
    id: 'getEmbedForm',
    tag: 'Giving',
    summary: 'What the bearer, an embed session, is to draw',
    response: 'EmbedForm',
    additive: true,
  },
  'POST /component-sessions': {
    id: 'createComponentSession',
    tag: 'Giving',
    summary: 'Open a read-only hour for a browser',
    description:
      'Additive: `masks` name what the session keeps back of people. The answer then carries `masks` as well.',
    response: 'ComponentSession',
    status: 201,
    scope: 'the read scope of every component that is named',
  },
  'GET /live': {
    id: 'streamLive',
    tag: 'Giving',
    summary: 'Hear of changes as they happen',
    description:
      'Server-sent events for the token of a component session: `donation`, `donor` and `payout`, each with the ' +
      'resource as it is now, as the lists answer with it. `open` comes first; when it is not `resumed`, and with ' +
      '`reset`, the lists are to be read anew. `beat` is a sign of life, `end` comes last. Send the last `id` as `Last-Event-ID` to go on ' +
      'where a stream ended: nothing is left out, and nothing comes twice. Opening counts as one request.',
    response: 'LiveEvent',
    contentType: 'text/event-stream',
    headers: { 'Last-Event-ID': 'The last `id` of an earlier stream of this organization.' },
    additive: true,
    scope: 'the read scope of every component that is named; only component sessions',
  },
  'GET /webhooks': {
    id: 'listWebhookEndpoints',
    tag: 'Webhooks',
    summary: 'List the credential’s endpoints',
    response: 'WebhookEndpoints',
  },
  'POST /webhooks': {
    id: 'createWebhookEndpoint',
    tag: 'Webhooks',
    summary: 'Register an endpoint; its secret is told here',
    response: 'WebhookEndpointWithSecret',
    status: 201,
  },
  'GET /webhooks/{id}': {
    id: 'getWebhookEndpoint',
    tag: 'Webhooks',
    summary: 'Read an endpoint',
    response: 'WebhookEndpoint',
  },
  'PATCH /webhooks/{id}': {
    id: 'updateWebhookEndpoint',
    tag: 'Webhooks',
    summary: 'Change an endpoint',
    response: 'WebhookEndpoint',
  },
  'DELETE /webhooks/{id}': {
    id: 'deleteWebhookEndpoint',
    tag: 'Webhooks',
    summary: 'Remove an endpoint',
    response: 'DeletedWebhookEndpoint',
  },
  'POST /webhooks/{id}/rotate-secret': {
    id: 'rotateWebhookSecret',
    tag: 'Webhooks',
    summary: 'Replace an endpoint’s secret',
    description: 'For 24 hours deliveries are signed with the old secret too.',
    response: 'WebhookEndpointWithSecret',
  },
  'GET /webhooks/{id}/deliveries': list(
    'listWebhookDeliveries',
    'Webhooks',
    'List what was sent to an endpoint',
    'WebhookDeliveryList',
  ),
  'POST /webhooks/{id}/test': {
    id: 'testWebhookEndpoint',
    tag: 'Webhooks',
    summary: 'Send an endpoint an event that is made up',
    response: 'WebhookDelivery',
    status: 201,
    additive: true,
  },
  'POST /webhooks/{id}/deliveries/{delivery_id}/redeliver': {
    id: 'redeliverWebhook',
    tag: 'Webhooks',
    summary: 'Send a delivery once more',
    response: 'WebhookDelivery',
    additive: true,
  },
};
