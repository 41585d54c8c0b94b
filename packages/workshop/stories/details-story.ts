import {
  jsonResponse,
  neverResolves,
  errorResponse,
  SERVER,
} from '@connect-embed/elements/test-support/server.js';
import { server } from '@connect-embed/elements/test-support/set-up.js';
import { listResponse } from '@connect-embed/elements/test-support/table.js';
import { waitUntil } from '@connect-embed/elements/test-support/wait-until.js';
import type { BalanceTransaction } from '@connect-embed/contract';
import type { StoryObj } from '@storybook/web-components-vite';
import { donations, payouts } from './table-story.ts';

type Tag = 'connect-donation-details' | 'connect-payout-details';

const RECORDS = {
  'connect-donation-details': { attribute: 'donation-id', path: 'donations', row: donations[2]! },
  'connect-payout-details': { attribute: 'payout-id', path: 'payouts', row: payouts[2]! },
};

/** The transactions of a payout: three donations, a refund, a fee and a reserve. */
const parts = [
  ...donations.slice(0, 3).map(({ id, amount_cents }) => part('charge', amount_cents, 175, id)),
  part('refund', -donations[3]!.amount_cents, 0, donations[3]!.id),
  part('fee', -1000),
  part('risk_reserved_funds', -2500),
];

function part(
  reporting_category: string,
  amount_cents: number,
  fee_cents = 0,
  donation_id: string | null = null,
): BalanceTransaction {
  return {
    id: `btx_${reporting_category}_${donation_id}`,
    object: 'balance_transaction',
    payout_id: payouts[2]!.id,
    donation_id,
    reporting_category,
    amount_cents,
    fee_cents,
    fee_details: [],
    net_amount_cents: amount_cents - fee_cents,
    currency: 'usd',
    exchange_rate: null,
    available_on: payouts[2]!.created,
    processor_transaction_id: null,
    processor_source_id: null,
    created_at: donations[0]!.created_at,
  };
}

const STATE_RESPONSES: Readonly<Record<string, () => Response | Promise<Response>>> = {
  loading: neverResolves,
  failed: () => errorResponse('server_error'),
  expired: () => errorResponse('unauthorized'),
  'without permission': () => errorResponse('insufficient_scope'),
  'not found': () => errorResponse('not_found'),
  'rate limited': () => errorResponse('rate_limited', 'rate_limited', 60),
};

let viewers = 0;

/** A story of one details element. The story's name selects the API response. */
export const details = (
  tag: Tag,
  name: string,
  attributes: Record<string, string> = {},
): StoryObj => {
  const { attribute, path, row } = RECORDS[tag];
  return {
    name,
    beforeEach: () => {
      server.on(`/api/v1/${path}/${row.id}`, STATE_RESPONSES[name] ?? (() => jsonResponse(row)));
      server.on(`/api/v1/${path}/${row.id}/transactions`, () => listResponse(parts));
    },
    render: () => {
      const element = document.createElement(tag);
      const id = name === 'without an id' ? '' : row.id;
      const all = { server: SERVER, 'viewer-token': `reader_${++viewers}`, [attribute]: id };
      for (const pair of Object.entries({ ...all, ...attributes })) element.setAttribute(...pair);
      return element;
    },
    play: async ({ canvasElement }) => {
      const element = canvasElement.querySelector(tag)!;
      if (name === 'loading') return;
      await waitUntil(() => element.pages.status !== 'loading', 'the record');
      await element.updateComplete;
    },
  };
};
