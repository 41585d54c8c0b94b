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
