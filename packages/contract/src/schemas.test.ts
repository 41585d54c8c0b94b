import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { z } from 'zod';
import * as contract from './index.ts';

const REQUESTS = {
  CreateAllowedSiteRequest: { origin: 'https://www.example.org' },
  CreateComponentSession: { components: ['donations'], masks: ['emails'] },
  CreatePageSession: { components: ['donations'] },
  CreateEmbedSession: { preset_amounts_cents: [5000], prefill: { donor_name: 'Ada' } },
  FormQuery: { form: 'gala' },
  CreateFormSession: { form: 'gala', form_version: '3' },
  CreatePaymentIntent: { amount_cents: 5000, donor_email: 'ada@example.org' },
  ProcessingPaymentQuery: { status: 'processing', limit: '10' },
  CreateWebhookEndpoint: { url: 'https://example.org/hook', events: ['donation.created'] },
  UpdateWebhookEndpoint: { description: 'the books' },
  DonationTermsInput: { amount_locked: true },
  Prefill: { donor_email: 'ada@example.org' },
  HoneypotField: { website: 'https://spam.example' },
  DonorContext: { form: 'hash-of-a-form-name', proof: '1' },
  ListQuery: { limit: '10' },
  LiveQuery: { components: 'donations,payouts' },
  DonationListQuery: { fund_id: 'fund_meals' },
  DonationSummaryQuery: { refund_status: 'partial' },
  DonationSeriesQuery: { interval: 'week', time_zone: 'America/New_York' },
  DonationExportQuery: { sort: 'created_at', time_zone: 'America/New_York' },
  DonorListQuery: { q: 'ada', sort: '-name' },
  DonorExportQuery: { sort: 'name', time_zone: 'Asia/Tokyo' },
  DonorSummaryQuery: { q: 'ada' },
  PayoutListQuery: { status: 'paid', sort: 'arrival_date' },
  PayoutExportQuery: { status: 'paid', time_zone: 'Asia/Tokyo' },
  PayoutSummaryQuery: { amount_from_cents: '-100' },
  RecurringPlanListQuery: { livemode: 'false' },
  EventListQuery: { published: 'false', upcoming: 'true' },
  RegistrationListQuery: { status: 'waitlisted' },
} as const;

describe('requests are strict: an unknown field is rejected', () => {
  for (const [name, body] of Object.entries(REQUESTS)) {
    test(name, () => {
      const schema = contract[name as keyof typeof REQUESTS] as z.ZodType;
      assert.ok(schema.safeParse(body).success);
      assert.ok(!schema.safeParse({ ...body, mispelled: true }).success);
    });
  }
});

describe('responses are open: a client accepts new fields', () => {
  const requests = new Set(Object.keys(REQUESTS));
  for (const [name, schema] of Object.entries(contract)) {
    if (!(schema instanceof z.ZodObject) || requests.has(name)) continue;
    test(name, () => {
      assert.ok(!(schema.def.catchall instanceof z.ZodNever), 'is a strict object');
    });
  }
});

/** Fields beyond the specification. */
const ADDITIONAL_FIELDS: Readonly<Record<string, readonly string[]>> = {
  Donation: [
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
  ComponentSession: ['organization_name', 'masks'],
  EmbedSession: ['form'],
  Organization: ['logo_url'],
  PaymentIntent: ['reference'],
  Payout: ['automatic', 'trace_id', 'livemode'],
};

describe('the resources of the specification have its fields', () => {
  for (const [name, fields] of [
    [
      'Donation',
      'id object amount_cents net_amount_cents currency recurring refund_status refunded_amount_cents dispute_status donor_name donor_email fund_id fund_name campaign_id contact_id source source_id created_at',
    ],
    [
      'Donor',
      'id object email first_name last_name phone city state postal_code country source created_at updated_at',
    ],
    [
      'Payout',
      'id object amount_cents currency status arrival_date created description statement_descriptor',
    ],
    [
      'Campaign',
      'id object slug name description goal_cents is_active start_date end_date created_at',
    ],
    ['Fund', 'id object name description type goal_cents published created_at'],
    ['Organization', 'id object name slug legal_name contact_email website tax_id created_at'],
    ['PaymentIntent', 'object client_secret payment_intent_id publishable_key stripe_account_id'],
    ['EmbedSession', 'id object session_token organization_id embed_url expires_at'],
    ['ComponentSession', 'id object token organization_id components expires_at'],
    ['WebhookEndpoint', 'id object url description events created_at'],
    [
      'WebhookDelivery',
      'id object event_type event_id status attempts last_response_status last_error next_attempt_at delivered_at created_at',
    ],
    ['EventTicketType', 'id object name description price_cents capacity sort_order is_active'],
    [
      'Registration',
      'id object event_id ticket_type_id attendee_name attendee_email attendee_phone status quantity attendee_names amount_paid_cents refunded_cents refunded_at checked_in_at created_at source',
    ],
    [
      'FundraisingEvent',
      'id object slug title description location event_format online_meeting_url timezone pricing_mode starts_at ends_at published_at registration_opens_at registration_closes_at created_at price_cents pwyw_min_cents pwyw_suggested_cents capacity allow_waitlist requires_approval published campaign_id fund_id ticket_types',
    ],
  ] as const) {
    test(name, () => {
      const expected = [...fields.split(' '), ...(ADDITIONAL_FIELDS[name] ?? [])];
      assert.deepEqual(Object.keys(contract[name].shape).sort(), expected.sort());
    });
  }
});
