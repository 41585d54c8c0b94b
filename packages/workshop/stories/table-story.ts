import {
  donation,
  jsonResponse,
  neverResolves,
  pageSession,
  errorResponse,
  SERVER,
} from '@connect-embed/elements/test-support/server.js';
import { createSums, yearlySeries } from '@connect-embed/elements/test-support/series.js';
import { server } from '@connect-embed/elements/test-support/set-up.js';
import { FakeStreams } from '@connect-embed/elements/test-support/live.js';
import {
  queryShadow,
  listResponse,
  openPanel,
} from '@connect-embed/elements/test-support/table.js';
import { waitUntil } from '@connect-embed/elements/test-support/wait-until.js';
import type { Donation, Donor, Payout } from '@connect-embed/contract';
import type { StoryObj } from '@storybook/web-components-vite';

const DONOR_NAMES = [
  'Maya Lindqvist',
  'Omar Haddad',
  'Grace Okafor',
  'יעל כהן',
  '田中 さくら',
  null,
];

const AMOUNTS_CENTS = [5000, 12_500, 250_000, 2500, 10_000, 7500];

/** Six donations: paid one-time, recurring, partly refunded, refunded, disputed, and anonymous without a fund. */
export const donations: Donation[] = DONOR_NAMES.map((donor_name, index) =>
  donation(6 - index, {
    donor_name,
    amount_cents: AMOUNTS_CENTS[index]!,
    net_amount_cents: AMOUNTS_CENTS[index]! - 175,
    fund_id: index % 2 ? 'fund_1' : 'fund_2',
    fund_name: donor_name && (index % 2 ? 'Weekend meals' : 'Mobile kitchen'),
    recurring: index === 1,
    ...(index === 2 && { refund_status: 'partial' as const, refunded_amount_cents: 50_000 }),
    ...(index === 3 && { refund_status: 'full' as const, refunded_amount_cents: 2500 }),
    ...(index === 4 && { dispute_status: 'open' as const }),
    created_at: `2026-11-${20 - index}T12:00:00.000Z`,
  }),
);

export const donors = DONOR_NAMES.slice(0, 5).map((name, index) => ({
  id: `donor_${index}`,
  object: 'donor',
  first_name: name!.split(' ')[0],
  last_name: name!.split(' ')[1] ?? null,
  email: `donor${index}@example.org`,
  phone: null,
  city: 'Portland',
  state: 'OR',
  country: 'US',
  postal_code: null,
  source: 'embed',
  created_at: `2026-10-${28 - index}T12:00:00.000Z`,
  updated_at: `2026-10-${28 - index}T12:00:00.000Z`,
})) as Donor[];

export const payouts = (['pending', 'in_transit', 'paid', 'failed', 'canceled'] as const).map(
  (status, index) => ({
    id: `po_${index}`,
    object: 'payout',
    amount_cents: 123_456 * (index + 1),
    currency: 'usd',
    status,
    arrival_date: `2026-11-${20 - index}T00:00:00.000Z`,
    created: `2026-11-${18 - index}T00:00:00.000Z`,
    description: null,
  }),
) as Payout[];

/** Donors as the API returns them when the session masks names, email addresses and postal addresses. */
const maskedDonors = donors.map((donor, index) => ({
  ...donor,
  ...{ first_name: `${DONOR_NAMES[index]![0]!}.`, last_name: null, email: null },
  ...{ city: null, state: null, country: null },
}));
export const MASKS = ['names', 'emails', 'addresses'];

const ROWS = { donations, donors, payouts };
export type List = keyof typeof ROWS;

/** API responses by the state of the table. */
export const STATES: Readonly<Record<string, (list: List) => Response | Promise<Response>>> = {
  loading: neverResolves as () => Promise<Response>,
  'with rows': (list) => listResponse(ROWS[list]),
  'with more rows': (list) => listResponse(ROWS[list], 'more'),
  'with initials': () => listResponse(maskedDonors),
  empty: () => listResponse([]),
  failed: () => errorResponse('server_error'),
  'without permission': () => errorResponse('insufficient_scope'),
  expired: () => errorResponse('unauthorized'),
  'rate limited': () => errorResponse('rate_limited', 'rate_limited', 60),
};

export function mockResponses(list: List, state: string, masks: readonly string[] = []): void {
  server.on('/component-sessions', ({ body }) =>
    jsonResponse({ ...pageSession(body['components']), masks }, 201),
  );
  server.on(`/api/v1/${list}`, () => STATES[state]!(list));
  server.on('/api/v1/donations/series', () => jsonResponse(yearlySeries()));
  const data = [
    createSums({ count: 78, gross_cents: 780_000, net_cents: 741_000 }),
    createSums({ currency: 'eur', count: 5, gross_cents: 50_000, net_cents: 47_500 }),
  ];
  server.on('/api/v1/donations/summary', () => jsonResponse({ object: 'donation_summary', data }));
  for (const row of ROWS[list]) server.on(`/api/v1/${list}/${row.id}`, () => jsonResponse(row));
}

/** Waits until a table is rendered in a state, including the features that load after its first rows. */
export async function waitForTable(table: HTMLElement & { features?: unknown }, state: string) {
  if (state === 'loading') return waitUntil(() => queryShadow(table, '.skeleton'), 'skeleton rows');
  await waitUntil(() => !queryShadow(table, '.skeleton'), 'the table is rendered');
  await waitUntil(() => table.features, 'the deferred features');
  if (state.startsWith('with ')) return waitUntil(() => queryShadow(table, '.rows tr'), 'rows');
  return waitUntil(() => queryShadow(table, '.message .title'), 'a message');
}

/** Clicks the first row, and waits until its details have loaded. */
export async function openDetails(table: HTMLElement): Promise<void> {
  queryShadow(table, '.rows tr .open')!.click();
  await waitUntil(() => queryShadow(table, 'dialog[open]'), 'the details');
  await waitUntil(
    () => !queryShadow(table, 'dialog [role=status]')?.textContent.trim(),
    'the details have loaded',
  );
}

/** Waits for the bars of the chart, which load last. */
export const waitForBars = (table: HTMLElement) =>
  waitUntil(() => queryShadow(table, '.chart')?.shadowRoot?.querySelector('.bar'), 'the bars');

/** Opens the table with the figures of the chart. */
export async function openChartTable(table: HTMLElement): Promise<void> {
  await waitForBars(table);
  queryShadow(table, '.chart')!.shadowRoot!.querySelector('summary')!.click();
}

/** Chooses recurring donations in the filters. */
export async function applyFilter(table: HTMLElement): Promise<void> {
  const requests = server.requestsTo('/api/v1/donations').length;
  const select = (await openPanel(table)).querySelectorAll('select')[1]!;
  select.value = 'true';
  select.dispatchEvent(new Event('change'));
  await waitUntil(() => server.requestsTo('/api/v1/donations').length > requests, 'a request');
  await waitUntil(() => queryShadow(table, '.rows tr'), 'rows');
}

/** Searches for a name. */
export async function searchDonations(table: HTMLElement): Promise<void> {
  const field = queryShadow(table, 'input[type=search]') as HTMLInputElement;
  field.value = 'Maya';
  field.dispatchEvent(new Event('input'));
  await waitUntil(() => table.shadowRoot!.textContent.includes('found'), 'the number of matches');
}

/** Opens the totals of the other currencies. */
export async function openOtherCurrencies(table: HTMLElement): Promise<void> {
  await waitUntil(() => queryShadow(table, '.totals summary'), 'the other currencies');
  queryShadow(table, '.totals summary')!.click();
}

/** Makes a live table receive a donation. */
export async function receiveDonation(table: HTMLElement): Promise<void> {
  const streams = new FakeStreams(server);
  table.setAttribute('live', '');
  await waitUntil(() => streams.opened.length > 0, 'a stream is requested');
  streams.latest.open();
  const newDonation = { donor_name: 'Ines Duarte', created_at: '2026-11-20T13:00:00.000Z' };
  streams.latest.send('donation', donation(7, newDonation));
  await waitUntil(
    () => queryShadow(table, '.rows tr')?.textContent.includes('Ines'),
    'the donation',
  );
}

/**
 * Options of a table story: the state, the element's attributes and content, and an action before the
 * screenshot.
 */
export interface TableStoryOptions {
  state?: string;
  attributes?: Record<string, string>;
  inner?: string;
  /** What the session masks, for example `names`. */
  masks?: readonly string[];
  action?: (table: HTMLElement) => Promise<unknown>;
}

let viewers = 0;

/** A story of one table. Each has its own viewer token, because tables of one viewer share a session. */
export const tableStory = (list: List, name: string, options: TableStoryOptions = {}): StoryObj => {
  const { state = 'with rows', attributes = {}, inner = '', masks, action } = options;
  return {
    name,
    beforeEach: () => mockResponses(list, state, masks),
    render: () => {
      const table = document.createElement(`connect-${list}`);
      const viewer = { 'viewer-token': `viewer_${++viewers}`, 'refresh-seconds': '0', limit: '6' };
      for (const [attribute, value] of Object.entries({
        server: SERVER,
        ...viewer,
        ...attributes,
      })) {
        table.setAttribute(attribute, value);
      }
      table.innerHTML = inner;
      return table;
    },
    play: async ({ canvasElement }) => {
      const table = canvasElement.querySelector<HTMLElement>(`connect-${list}`)!;
      await waitForTable(table, state);
      await action?.(table);
    },
  };
};
