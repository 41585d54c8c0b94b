import type { Payout, BalanceTransaction, PayoutSummary } from '@connect-embed/contract';
import { firstPage, type Examples } from './example.ts';

const PAYOUT: Payout = {
  id: 'po_Wm4XkZ7cRtJ9hQfNs2bV',
  object: 'payout',
  amount_cents: 184_215,
  currency: 'usd',
  status: 'paid',
  arrival_date: '2026-11-12T00:00:00.000Z',
  created: '2026-11-10T00:00:00.000Z',
  description: 'STRIPE PAYOUT',
  statement_descriptor: 'HARBOR STREET',
  automatic: true,
  trace_id: '021000021234567',
  livemode: true,
};

const TRANSACTIONS: BalanceTransaction[] = [
  {
    id: 'btx_Lr5QnX8vTz3KmWc7YdHs',
    object: 'balance_transaction',
    payout_id: PAYOUT.id,
    donation_id: 'don_B62RKqvbX5nZ8tYwHcLd',
    reporting_category: 'charge',
    amount_cents: 10_000,
    fee_cents: 320,
    fee_details: [
      {
        amount_cents: 320,
        currency: 'usd',
        type: 'stripe_fee',
        description: 'Stripe processing fees',
      },
    ],
    net_amount_cents: 9680,
    currency: 'usd',
    exchange_rate: null,
    available_on: '2026-11-10T00:00:00.000Z',
    processor_transaction_id: 'txn_3QKp2vHc8YtBz1Ln0aXwRf5d',
    processor_source_id: 'ch_3QKp2vHc8YtBz1Ln0m4JtUe7',
    created_at: '2026-11-08T18:42:07.315Z',
  },
];

const SUMMARY: PayoutSummary = {
  object: 'payout_summary',
  data: [
    {
      currency: 'usd',
      count: 20,
      amount_cents: 3_512_740,
      by_status: [{ status: 'paid', count: 20, amount_cents: 3_512_740 }],
    },
  ],
};

const CSV = [
  'Payout ID,Created (America/New_York),Arrives,Currency,Amount,Status,Statement descriptor,Description,' +
    'Automatic,Trace ID,Failure reason,Livemode',
  'po_Wm4XkZ7cRtJ9hQfNs2bV,2026-11-09 19:00:00,2026-11-12,USD,1842.15,Paid,HARBOR STREET,STRIPE PAYOUT,yes,021000021234567,,yes',
  '',
].join('\r\n');

export const PAYOUT_EXAMPLES: Examples = {
  listPayouts: [{ parameters: { limit: 1, status: 'paid' }, response: firstPage([PAYOUT]) }],
  getPayout: [{ parameters: { id: PAYOUT.id }, response: PAYOUT }],
  exportPayouts: [{ parameters: { status: 'paid', time_zone: 'America/New_York' }, response: CSV }],
  sumPayouts: [{ parameters: { status: 'paid' }, response: SUMMARY }],
  listPayoutTransactions: [
    { parameters: { id: PAYOUT.id, limit: 1 }, response: firstPage(TRANSACTIONS) },
  ],
};
