import type { ResponseName } from './schemas.ts';

/** The parts of an operation that its middleware does not define, such as its name, tag and response. */
export interface Operation {
  /** Name of the method in a generated client. */
  id: string;
  tag: Tag;
  summary: string;
  description?: string;
  response: ResponseName;
  status?: 201;
  /** Content type of the response if it is not JSON. */
  contentType?: 'text/event-stream' | 'text/csv';
  /** Request headers with their descriptions. */
  headers?: Readonly<Record<string, string>>;
  /** Description of the required scopes if they depend on the body. */
  scope?: string;
}

export const TAGS = {
  Donations: 'Paid donations and recurring donations.',
  Donors: 'People and households who donated.',
  Payouts: 'Payouts to the organization’s bank account.',
  Events: 'Events with their ticket types, including drafts, and their registrations.',
  Reference: 'Campaigns, forms, funds and the organization itself.',
  Payments: 'Payment intents, and sessions for embedded forms and tables.',
  Webhooks: 'The credential’s own webhook endpoints and their deliveries.',
} as const;
type Tag = keyof typeof TAGS;

const NEWEST_FIRST = 'Newest first. Pass `next_cursor` as `cursor` until `has_more` is false.';

const list = (id: string, tag: Tag, summary: string, response: ResponseName): Operation => ({
  id,
  tag,
  summary,
  description: NEWEST_FIRST,
  response,
});

const CSV_FILE =
  'All rows that match, in the order of the list. UTF-8 with a byte order mark, headings in English, amounts in major ' +
  'units; text that a spreadsheet would run as a formula begins with an apostrophe. The file is streamed and counts as ' +
  'one request. If it cannot be completed, the connection is closed.';

const csvExport = (id: string, tag: Tag, details = ''): Operation => ({
  id,
  tag,
  summary: `Export ${tag.toLowerCase()} as a CSV file`,
  description: CSV_FILE + details,
  response: 'CsvFile',
  contentType: 'text/csv',
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
    summary: 'Count and sum donations',
    description:
      'One row per currency. `net_cents` is null until every fee is known. Payments whose money is on its way are ' +
      'not part of the sums; `processing_count` and `processing_amount_cents` count them.',
    response: 'DonationSummary',
  },
  'GET /donations/series': {
    id: 'sumDonationsOverTime',
    tag: 'Donations',
    summary: 'Count and sum donations by day, week, month or year',
    description:
      'Oldest first, including intervals without donations, at most 400 intervals. Their totals equal the summary.',
    response: 'DonationSeries',
  },
  'GET /donations/export.csv': csvExport('exportDonations', 'Donations'),
  'GET /donations/funds': {
    ...list('listDonationFunds', 'Donations', 'List funds with donations', 'DonationFundList'),
  },
  'GET /recurring-plans': {
    ...list('listRecurringPlans', 'Donations', 'List recurring donations', 'RecurringPlanList'),
  },
  'GET /recurring-plans/{id}': {
    id: 'getRecurringPlan',
    tag: 'Donations',
    summary: 'Read a recurring donation',
    response: 'RecurringPlan',
  },
  'GET /donors': list('listDonors', 'Donors', 'List donors', 'DonorList'),
  'GET /donors/{id}': {
    id: 'getDonor',
    tag: 'Donors',
    summary: 'Read a donor',
    description:
      'With the ID of a donor who was merged into another one, the other one, whose ID differs.',
    response: 'Donor',
  },
  'GET /donors/summary': {
    id: 'countDonors',
    tag: 'Donors',
    summary: 'Count donors',
    response: 'DonorSummary',
  },
  'GET /donors/export.csv': csvExport(
    'exportDonors',
    'Donors',
    ' With `donations:read` and unmasked names also the totals of each donor, one row per currency. They are those of ' +
      'all donations from `donated_from` until `donated_to`, recurring or not.',
  ),
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
    summary: 'Count and sum payouts',
    description: 'One row per currency.',
    response: 'PayoutSummary',
  },
  'GET /payouts/export.csv': csvExport('exportPayouts', 'Payouts'),
  'GET /payouts/{id}/transactions': {
    ...list(
      'listPayoutTransactions',
      'Payouts',
      'List the transactions of a payout',
      'PayoutTransactionList',
    ),
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
    'List the registrations of an event',
    'RegistrationList',
  ),
  'GET /campaigns': list('listCampaigns', 'Reference', 'List campaigns', 'CampaignList'),
  'GET /campaigns/{id}/progress': {
    id: 'getCampaignProgress',
    tag: 'Reference',
    summary: 'Read the progress of a campaign',
    description:
      'Donations in the organization’s currency, including recurring ones, less refunds and disputed ' +
      'amounts. Contains totals only, so it can be shown to anyone.',
    response: 'CampaignProgress',
  },
  'GET /allowed-sites': {
    ...list('listAllowedSites', 'Reference', 'List allowed sites', 'AllowedSiteList'),
    description: `${NEWEST_FIRST} Websites that may show the organization’s forms and tables.`,
  },
  'POST /allowed-site-requests': {
    id: 'createAllowedSiteRequest',
    tag: 'Reference',
    summary: 'Ask the owners to allow a website',
    description:
      'The request appears in the dashboard under “Allowed sites” for 30 days. It allows nothing by itself. ' +
      'A website that asks again is listed once.',
    response: 'AllowedSiteRequest',
  },
  'GET /forms': {
    ...list('listForms', 'Reference', 'List donation forms', 'FormList'),
    description: `${NEWEST_FIRST} Includes drafts. Send \`If-None-Match\` to learn whether a form has changed.`,
  },
  'GET /forms/{id}': {
    id: 'getForm',
    tag: 'Reference',
    summary: 'Read a donation form',
    response: 'Form',
  },
  'GET /funds': list('listFunds', 'Reference', 'List funds', 'FundList'),
  'GET /organization': {
    id: 'getOrganization',
    tag: 'Reference',
    summary: 'Read the organization of the token',
    response: 'Organization',
  },
  'POST /payment-intents': {
    id: 'createPaymentIntent',
    tag: 'Payments',
    summary: 'Create a payment intent',
    description:
      'The donation is paid to the organization’s own Stripe account. Card data never passes through this API. ' +
      'The token of an embed session can be used instead of a credential with the scope.',
    response: 'PaymentIntent',
    status: 201,
  },
  'GET /payment-intents': {
    ...list(
      'listProcessingPayments',
      'Payments',
      'List payments whose money is on its way',
      'ProcessingPaymentList',
    ),
    description: `${NEWEST_FIRST} A bank debit is on its way for days. It becomes a donation when its money arrives.`,
  },
  'GET /payment-intents/{payment_intent_id}': {
    id: 'getPaymentIntentStatus',
    tag: 'Payments',
    summary: 'Read the status of a payment intent',
    description:
      'Available to its creator: the embed session, or the API key or app that created the session. ' +
      'Contains no donor data.',
    response: 'PaymentIntentStatus',
  },
  'POST /embed-sessions': {
    id: 'createEmbedSession',
    tag: 'Payments',
    summary: 'Create a one-hour session of a donation form',
    response: 'EmbedSession',
    status: 201,
  },
  'GET /embed-sessions/current': {
    id: 'getEmbedForm',
    tag: 'Payments',
    summary: 'Read the form of the embed session',
    response: 'EmbedForm',
  },
  'POST /component-sessions': {
    id: 'createComponentSession',
    tag: 'Payments',
    summary: 'Create a one-hour read-only session for a browser',
    description:
      '`masks` lists the personal data that the session hides. The response then contains `masks` as well.',
    response: 'ComponentSession',
    status: 201,
    scope: 'the read scope of every requested component',
  },
  'GET /live': {
    id: 'streamLive',
    tag: 'Payments',
    summary: 'Stream changes',
    description:
      'Server-sent events for the token of a component session: `donation`, `donor` and `payout`, each with the ' +
      'current resource, as in the lists. `open` comes first. If it is not `resumed`, and after `reset`, load the ' +
      'lists again. `beat` is a heartbeat, `end` comes last. Send the last `id` as `Last-Event-ID` to resume ' +
      'a stream without gaps or repetitions. Opening a stream counts as one request.',
    response: 'LiveEvent',
    contentType: 'text/event-stream',
    headers: { 'Last-Event-ID': 'The last `id` of an earlier stream of this organization.' },
    scope: 'the read scope of every requested component; component sessions only',
  },
  'GET /webhooks': {
    id: 'listWebhookEndpoints',
    tag: 'Webhooks',
    summary: 'List webhook endpoints',
    response: 'WebhookEndpoints',
  },
  'POST /webhooks': {
    id: 'createWebhookEndpoint',
    tag: 'Webhooks',
    summary: 'Create a webhook endpoint and return its secret',
    response: 'WebhookEndpointWithSecret',
    status: 201,
  },
  'GET /webhooks/{id}': {
    id: 'getWebhookEndpoint',
    tag: 'Webhooks',
    summary: 'Read a webhook endpoint',
    response: 'WebhookEndpoint',
  },
  'PATCH /webhooks/{id}': {
    id: 'updateWebhookEndpoint',
    tag: 'Webhooks',
    summary: 'Update a webhook endpoint',
    response: 'WebhookEndpoint',
  },
  'DELETE /webhooks/{id}': {
    id: 'deleteWebhookEndpoint',
    tag: 'Webhooks',
    summary: 'Delete a webhook endpoint',
    response: 'DeletedWebhookEndpoint',
  },
  'POST /webhooks/{id}/rotate-secret': {
    id: 'rotateWebhookSecret',
    tag: 'Webhooks',
    summary: 'Rotate the secret of a webhook endpoint',
    description: 'For 24 hours, deliveries are also signed with the old secret.',
    response: 'WebhookEndpointWithSecret',
  },
  'GET /webhooks/{id}/deliveries': list(
    'listWebhookDeliveries',
    'Webhooks',
    'List the deliveries of a webhook endpoint',
    'WebhookDeliveryList',
  ),
  'POST /webhooks/{id}/test': {
    id: 'testWebhookEndpoint',
    tag: 'Webhooks',
    summary: 'Send a test event to a webhook endpoint',
    response: 'WebhookDelivery',
    status: 201,
  },
  'POST /webhooks/{id}/deliveries/{delivery_id}/redeliver': {
    id: 'redeliverWebhook',
    tag: 'Webhooks',
    summary: 'Send a delivery again',
    response: 'WebhookDelivery',
  },
};
