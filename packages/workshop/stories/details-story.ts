import {
  jsonResponse,
  neverResolves,
  errorResponse,
  SERVER,
} from '@connect-embed/elements/test-support/server.js';
import { server } from '@connect-embed/elements/test-support/set-up.js';
import { listResponse } from '@connect-embed/elements/test-support/table.js';
import { waitUntil } from '@connect-embed/elements/test-support/wait-until.js';
import type { PayoutTransaction } from '@connect-embed/contract';
import type { StoryObj } from '@storybook/web-components-vite';
import { donations, payouts } from './table-story.ts';

type Tag = 'connect-donation-details' | 'connect-payout-details';

const RECORDS = {
  'connect-donation-details': { attribute: 'donation-id', path: 'donations', row: donations[2]! },
  'connect-payout-details': { attribute: 'payout-id', path: 'payouts', row: payouts[2]! },
};

/** The parts of a payout: three donations and a refund. */
const parts: PayoutTransaction[] = donations.slice(0, 4).map((donation, index) => {
  const type = index === 3 ? 'refund' : 'donation';
  const sign = type === 'donation' ? 1 : -1;
  const fee_cents = type === 'donation' ? 175 : 0;
  return {
    id: `pd_${index}`,
    object: 'payout_transaction',
    payout_id: payouts[2]!.id,
    donation_id: donation.id,
    type,
    amount_cents: sign * donation.amount_cents,
    fee_cents,
    net_amount_cents: sign * donation.amount_cents - fee_cents,
    currency: 'usd',
    created_at: donation.created_at,
  };
});

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
