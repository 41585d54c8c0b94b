import type {
  ComponentSession,
  CreateComponentSession,
  CreateEmbedSession,
  CreatePaymentIntent,
  EmbedForm,
  EmbedSession,
  PaymentIntent,
  PaymentIntentStatus,
  ProcessingPayment,
} from '@connect-embed/contract';
import { DONATION } from './donations.ts';
import { lastPage, ORGANIZATION_ID, type Examples } from './example.ts';

const INTENT: PaymentIntent = {
  object: 'payment_intent',
  payment_intent_id: 'pi_3PzQ7kXmWn4RtVb9LsHc',
  client_secret: 'pi_3PzQ7kXmWn4RtVb9LsHc_secret_Yd6TqKx2',
  publishable_key: 'pk_test_sandbox',
  stripe_account_id: 'acct_harbor_street',
  reference: 'K7QM-4XTZ',
};

const STATUS: PaymentIntentStatus = {
  object: 'payment_intent_status',
  payment_intent_id: INTENT.payment_intent_id,
  status: 'open',
  expected_at: null,
  donation_id: null,
  reference: INTENT.reference,
};

const PROCESSING: ProcessingPayment = {
  id: 'pi_3QbT8mYnXo5SuWc0MtJd',
  object: 'processing_payment',
  amount_cents: 5000,
  currency: 'usd',
  payment_method: 'us_bank_account',
  donor_name: 'Grace Mensah',
  donor_email: 'grace.mensah@example.org',
  fund_id: 'fund_meals',
  campaign_id: null,
  form_id: null,
  recurring: false,
  expected_at: '2026-11-26T18:32:10.000Z',
  created_at: '2026-11-20T18:31:45.123Z',
  reference: 'M3TD-8RWY',
  livemode: true,
};

const ONE_TIME = {
  amount_cents: 10_000,
  fund_id: 'fund_meals',
  donor_email: 'grace.mensah@example.org',
  donor_name: 'Grace Mensah',
} satisfies CreatePaymentIntent;

const MONTHLY: CreatePaymentIntent = {
  amount_cents: 2500,
  frequency: 'monthly',
  donor_email: 'hiroshi.tanaka@example.com',
  donor_name: 'Hiroshi Tanaka',
  metadata: { newsletter: 'yes' },
};

const FORM: CreateEmbedSession = {
  fund_id: 'fund_meals',
  preset_amounts_cents: [2500, 5000, 10_000],
  default_amount_cents: 5000,
  frequencies: ['one_time', 'monthly'],
  prefill: { donor_name: 'Grace Mensah', donor_email: 'grace.mensah@example.org' },
  origins: ['https://www.harborstreet.example'],
};

const EMBED_FORM: EmbedForm = {
  object: 'embed_form',
  organization: {
    id: ORGANIZATION_ID,
    name: 'Harbor Street Food Bank',
    time_zone: 'America/New_York',
    contact_email: 'hello@harborstreet.example',
    logo_url: null,
  },
  currency: 'usd',
  terms: {
    fund_id: 'fund_meals',
    campaign_id: null,
    preset_amounts_cents: [2500, 5000, 10_000],
    default_amount_cents: 5000,
    amount_locked: false,
    min_amount_cents: 50,
    max_amount_cents: 99_999_999,
    frequencies: ['one_time', 'monthly'],
    default_frequency: 'one_time',
    preset_amounts_by_frequency: {},
    fee_cover: 'off',
    fee_cover_basis_points: 290,
    fee_cover_fixed_cents: 30,
    fund_choices: [],
    allow_dedication: false,
    allow_anonymous: false,
    allow_comment: false,
    prefill_from_url: [],
    success_url: null,
    show_goal: false,
    card_loading: 'interaction',
    payment_method_types: null,
  },
  fund_name: 'Weekend meals for children',
  campaign_name: null,
  prefill: { donor_name: 'Grace Mensah', donor_email: 'grace.mensah@example.org' },
  publishable_key: 'pk_test_sandbox',
  stripe_account_id: 'acct_harbor_street',
  stripe_js_url: 'https://js.stripe.com/v3',
  livemode: false,
  receipts: false,
  payment_method_types: ['card'],
  form_id: null,
  form_version: null,
};

const EMBED_SESSION: EmbedSession = {
  id: 'es_gXw5LcTn8RqYb3VdKz6M',
  organization_id: ORGANIZATION_ID,
  expires_at: '2026-11-20T19:40:00.000Z',
  object: 'embed_session',
  session_token: 'gb_es_5vQkTz8WmXn2RcLb7YdHs4JpFg9',
  embed_url: 'https://api.example.org/embed/es_gXw5LcTn8RqYb3VdKz6M',
  form: EMBED_FORM,
};

const TABLES: CreateComponentSession = { components: ['donations', 'payouts'] };

const COMPONENT_SESSION: ComponentSession = {
  id: 'cs_Zk9RnT4wXq7LmVc2YbHd',
  organization_id: ORGANIZATION_ID,
  components: ['donations', 'payouts'],
  expires_at: '2026-11-20T19:40:00.000Z',
  object: 'component_session',
  organization_name: 'Harbor Street Food Bank',
  token: 'gb_cs_8WmXn2RcLb7YdHs4JpFg95vQkTz',
};

export const PAYMENT_EXAMPLES: Examples = {
  createPaymentIntent: [
    { title: 'A donation', body: ONE_TIME, response: INTENT },
    {
      title: 'A monthly donation',
      body: MONTHLY,
      response: { ...INTENT, reference: 'R4WC-9HNX' },
    },
  ],
  listProcessingPayments: [
    { parameters: { status: 'processing', limit: 10 }, response: lastPage([PROCESSING]) },
  ],
  getPaymentIntentStatus: [
    { parameters: { payment_intent_id: INTENT.payment_intent_id }, response: STATUS },
  ],
  createEmbedSession: [{ body: FORM, response: EMBED_SESSION }],
  getEmbedForm: [{ response: EMBED_FORM }],
  createComponentSession: [{ body: TABLES, response: COMPONENT_SESSION }],
  streamLive: [{ parameters: { components: 'donations,payouts' }, response: DONATION }],
};
