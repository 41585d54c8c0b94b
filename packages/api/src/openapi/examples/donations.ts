import type {
  Donation,
  DonationFund,
  DonationSeries,
  DonationSummary,
  RecurringPlan,
} from '@connect-embed/contract';
import { firstPage, lastPage, type Examples } from './example.ts';

export const DONATION: Donation = {
  id: 'don_B62RKqvbX5nZ8tYwHcLd',
  object: 'donation',
  amount_cents: 10_000,
  net_amount_cents: 9680,
  currency: 'usd',
  recurring: false,
  refund_status: 'none',
  refunded_amount_cents: 0,
  dispute_status: 'none',
  donor_name: 'Grace Mensah',
  donor_email: 'grace.mensah@example.org',
  fund_id: 'fund_meals',
  fund_name: 'Weekend meals for children',
  campaign_id: 'camp_winter',
  contact_id: 'dnr_4kTzW9sMfPq2NvBxHy7R',
  source: 'embed',
  source_id: 'es_gXw5LcTn8RqYb3VdKz6M',
  created_at: '2026-11-20T18:42:07.315Z',
  reference: 'K7QM-4XTZ',
  fee_cents: 320,
  dispute_fee_cents: 0,
  disputed_amount_cents: 0,
  settlement_currency: null,
  settlement_amount_cents: null,
  settlement_fee_cents: null,
  settlement_net_cents: null,
  exchange_rate: null,
  payment_method: 'card',
  card_brand: 'visa',
  payout_id: 'po_Wm4XkZ7cRtJ9hQfNs2bV',
  campaign_name: 'A Warm Winter',
  livemode: true,
  dedication: 'In memory of Kwame Mensah',
  comment: null,
  form_id: 'form_kT8wYq3VnZ5mRc7LxBdH',
  form_name: 'Winter',
  page_origin: 'https://www.example.org',
};

const MONTHLY_DONATION: Donation = {
  ...DONATION,
  id: 'don_yT3mKd9VqL7sXwRz5HcN',
  amount_cents: 2500,
  net_amount_cents: 2397,
  recurring: true,
  donor_name: 'Hiroshi Tanaka',
  donor_email: 'hiroshi.tanaka@example.com',
  fund_id: 'fund_general',
  fund_name: 'Where it is needed most',
  campaign_id: null,
  contact_id: 'dnr_Vx8RnQ5wLzT2hKcYd6Bm',
  source_id: 'es_Jt6PwZ3mXkN9sLqRb4Vd',
  created_at: '2026-11-19T12:05:51.802Z',
  reference: 'R4WC-9HNX',
  fee_cents: 103,
  card_brand: 'mastercard',
  campaign_name: null,
  dedication: null,
};

const PLAN: RecurringPlan = {
  id: 'plan_Qz7TkX4nWc9RmVb2LsHy',
  object: 'recurring_plan',
  amount_cents: 2500,
  currency: 'usd',
  frequency: 'monthly',
  status: 'active',
  donor_name: 'Hiroshi Tanaka',
  donor_email: 'hiroshi.tanaka@example.com',
  fund_id: 'fund_general',
  campaign_id: null,
  next_payment_at: '2026-12-19T12:05:51.802Z',
  created_at: '2025-08-19T12:05:51.802Z',
  canceled_at: null,
  livemode: true,
};

const FUND: DonationFund = {
  id: 'fund_meals',
  object: 'donation_fund',
  name: 'Weekend meals for children',
  created_at: '2025-05-14T09:00:00.000Z',
};

const SUMMARY: DonationSummary = {
  object: 'donation_summary',
  data: [
    {
      currency: 'usd',
      count: 268,
      gross_cents: 716_000,
      net_cents: 687_196,
      refunded_cents: 0,
      disputed_cents: 0,
      fee_cents: 28_804,
      dispute_fee_cents: 0,
      processing_count: 2,
      processing_amount_cents: 7500,
    },
  ],
};

const SERIES: DonationSeries = {
  object: 'donation_series',
  interval: 'month',
  time_zone: 'America/New_York',
  data: [
    {
      starts_on: '2026-09-01',
      created_from: '2026-09-01T04:00:00.000Z',
      created_to: '2026-10-01T04:00:00.000Z',
      sums: [
        {
          currency: 'usd',
          count: 41,
          gross_cents: 362_500,
          net_cents: 350_758,
          refunded_cents: 0,
          disputed_cents: 0,
          fee_cents: 11_742,
          dispute_fee_cents: 0,
        },
      ],
    },
    {
      starts_on: '2026-10-01',
      created_from: '2026-10-01T04:00:00.000Z',
      created_to: '2026-11-01T04:00:00.000Z',
      sums: [],
    },
  ],
};

const CSV = [
  'Donation ID,Reference,Created (America/New_York),Donor,Email,Currency,Amount,Fee,Net,Refunded,' +
    'Disputed,Dispute fee (part of Fee),Status,Recurring,Payment method,Fund,Campaign,' +
    'Form,Website,Dedication,Message,Payout ID,Settlement currency,Settlement amount,Settlement fee,Settlement net,Exchange rate,Livemode',
  'don_B62RKqvbX5nZ8tYwHcLd,K7QM-4XTZ,2026-11-20 13:42:07,Grace Mensah,grace.mensah@example.org,USD,100.00,3.20,96.80,' +
    '0.00,0.00,0.00,Paid,no,Card (Visa),Weekend meals for children,A Warm Winter,Winter,' +
    'https://www.example.org,In memory of Kwame Mensah,,po_Wm4XkZ7cRtJ9hQfNs2bV,,,,,,yes',
  '',
].join('\r\n');

export const DONATION_EXAMPLES: Examples = {
  listDonations: [{ parameters: { limit: 2 }, response: firstPage([DONATION, MONTHLY_DONATION]) }],
  getDonation: [{ parameters: { id: DONATION.id }, response: DONATION }],
  sumDonations: [{ parameters: { recurring: true }, response: SUMMARY }],
  sumDonationsOverTime: [
    {
      parameters: {
        interval: 'month',
        created_from: '2026-09-01T04:00:00Z',
        created_to: '2026-11-01T04:00:00Z',
        time_zone: 'America/New_York',
      },
      response: SERIES,
    },
  ],
  exportDonations: [
    { parameters: { sort: 'created_at', time_zone: 'America/New_York' }, response: CSV },
  ],
  listDonationFunds: [{ parameters: { limit: 1 }, response: firstPage([FUND]) }],
  listRecurringPlans: [{ parameters: { limit: 10 }, response: lastPage([PLAN]) }],
  getRecurringPlan: [{ parameters: { id: PLAN.id }, response: PLAN }],
};
