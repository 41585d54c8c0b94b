import type { AnswerName } from './components.ts';

/** What a route's own rules do not tell: its name, its place in the document, and what it answers. */
export interface Operation {
  /** Name of the method in a generated client. */
  id: string;
  tag: Tag;
  summary: string;
  description?: string;
  answer: AnswerName;
  status?: 201;
  /** Beyond the specification: others may not have it. */
  additive?: true;
  /** Where the scope follows from the body. */
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

const list = (id: string, tag: Tag, summary: string, answer: AnswerName): Operation => ({
  id,
  tag,
  summary,
  description: NEWEST_FIRST,
  answer,
});

/** Every operation by method and path. A route without one here is a failed test. */
export const OPERATIONS: Readonly<Record<string, Operation>> = {
  'GET /donations': list('listDonations', 'Donations', 'List donations', 'DonationList'),
  'GET /donations/{id}': {
    id: 'getDonation',
    tag: 'Donations',
    summary: 'Read a donation',
    answer: 'Donation',
  },
  'GET /donors': list('listDonors', 'Donors', 'List donors', 'DonorList'),
  'GET /donors/{id}': { id: 'getDonor', tag: 'Donors', summary: 'Read a donor', answer: 'Donor' },
  'GET /payouts': list('listPayouts', 'Payouts', 'List payouts', 'PayoutList'),
  'GET /payouts/{id}': {
    id: 'getPayout',
    tag: 'Payouts',
    summary: 'Read a payout',
    answer: 'Payout',
  },
  'GET /events': list('listEvents', 'Events', 'List events', 'EventList'),
  'GET /events/{id}': { id: 'getEvent', tag: 'Events', summary: 'Read an event', answer: 'Event' },
  'GET /events/{id}/registrations': list(
    'listRegistrations',
    'Events',
    'List who registered for an event',
    'RegistrationList',
  ),
  'GET /campaigns': list('listCampaigns', 'Reference', 'List campaigns', 'CampaignList'),
  'GET /funds': list('listFunds', 'Reference', 'List funds', 'FundList'),
  'GET /organization': {
    id: 'getOrganization',
    tag: 'Reference',
    summary: 'Read the organization that the token acts for',
    answer: 'Organization',
  },
  'POST /payment-intents': {
    id: 'createPaymentIntent',
    tag: 'Giving',
    summary: 'Start a gift',
    description:
      'The money settles in the organization’s own processor account; the card never passes here. ' +
      'An embed session’s own token may be the bearer in place of a credential with the scope.',
    answer: 'PaymentIntent',
    status: 201,
  },
  'POST /embed-sessions': {
    id: 'createEmbedSession',
    tag: 'Giving',
    summary: 'Fix the terms of a donation form for an hour',
    answer: 'EmbedSession',
    status: 201,
  },
  'GET /embed-sessions/current': {
    id: 'getEmbedForm',
    tag: 'Giving',
    summary: 'What the bearer, an embed session, is to draw',
    answer: 'EmbedForm',
    additive: true,
  },
  'POST /component-sessions': {
    id: 'createComponentSession',
    tag: 'Giving',
    summary: 'Open a read-only hour for a browser',
    answer: 'ComponentSession',
    status: 201,
    scope: 'the read scope of every component that is named',
  },
  'GET /webhooks': {
    id: 'listWebhookEndpoints',
    tag: 'Webhooks',
    summary: 'List the credential’s endpoints',
    answer: 'WebhookEndpoints',
  },
  'POST /webhooks': {
    id: 'createWebhookEndpoint',
    tag: 'Webhooks',
    summary: 'Register an endpoint; its secret is told here',
    answer: 'WebhookEndpointWithSecret',
    status: 201,
  },
  'GET /webhooks/{id}': {
    id: 'getWebhookEndpoint',
    tag: 'Webhooks',
    summary: 'Read an endpoint',
    answer: 'WebhookEndpoint',
  },
  'PATCH /webhooks/{id}': {
    id: 'updateWebhookEndpoint',
    tag: 'Webhooks',
    summary: 'Change an endpoint',
    answer: 'WebhookEndpoint',
  },
  'DELETE /webhooks/{id}': {
    id: 'deleteWebhookEndpoint',
    tag: 'Webhooks',
    summary: 'Remove an endpoint',
    answer: 'DeletedWebhookEndpoint',
  },
  'POST /webhooks/{id}/rotate-secret': {
    id: 'rotateWebhookSecret',
    tag: 'Webhooks',
    summary: 'Replace an endpoint’s secret',
    description: 'For 24 hours deliveries are signed with the old secret too.',
    answer: 'WebhookEndpointWithSecret',
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
    answer: 'WebhookDelivery',
    status: 201,
    additive: true,
  },
  'POST /webhooks/{id}/deliveries/{delivery_id}/redeliver': {
    id: 'redeliverWebhook',
    tag: 'Webhooks',
    summary: 'Send a delivery once more',
    answer: 'WebhookDelivery',
    additive: true,
  },
};
