import type { Donation } from '@connect-embed/contract';
import { fixture, html } from '@open-wc/testing';
import type { ConnectDonations } from '../connect-donations.ts';
import { donation, jsonResponse, SERVER } from './server.ts';
import { server } from './set-up.ts';
import { waitUntil } from './wait-until.ts';

export const DONATIONS = '/api/v1/donations';

/**
 * The viewer token of the current test. Each test has its own, because tables with the same token
 * share a session.
 */
export let viewer = '';

let viewers = 0;
beforeEach(() => (viewer = `viewer_${++viewers}`));

/** One page of a list as the API's response. */
export const listResponse = (data: unknown[], next_cursor: string | null = null) =>
  jsonResponse({ data, has_more: next_cursor !== null, next_cursor });

/** A number of donations with descending ids, newest first. */
export const some = (from: number, count: number, change: Partial<Donation> = {}) =>
  Array.from({ length: count }, (_, index) => donation(from - index, change));

export const queryShadow = (element: Element, selector: string) =>
  element.shadowRoot!.querySelector<HTMLElement>(selector);

export const rows = (element: Element) => [...element.shadowRoot!.querySelectorAll('.rows tr')];

export const names = (element: Element) =>
  rows(element).map((row) => row.querySelector('th')!.textContent.trim());

export const text = (element: Element) => element.shadowRoot!.textContent.replace(/\s+/g, ' ');

/** Renders `<connect-donations>`, or another table, and waits until it is drawn. */
export async function openTable(
  attributes: Record<string, string> = {},
  inner = '',
  tag: 'connect-donations' | 'connect-donors' | 'connect-payouts' = 'connect-donations',
) {
  const main = await fixture<HTMLElement>(html`<main></main>`);
  const element = document.createElement(tag) as ConnectDonations;
  const all = { server: SERVER, 'viewer-token': viewer, 'refresh-seconds': '0', ...attributes };
  for (const [name, value] of Object.entries(all)) element.setAttribute(name, value);
  element.innerHTML = inner;
  main.append(element);
  await element.updateComplete;
  await waitUntil(() => !queryShadow(element, '.skeleton'), 'the table is drawn');
  await element.updateComplete;
  return element;
}

/** Renders a table and waits for the chunk with its further features, which redraws it. */
export async function openWholeTable(...options: Parameters<typeof openTable>) {
  const element = await openTable(...options);
  await waitUntil(() => element.features, 'what comes late is there');
  await element.updateComplete;
  return element;
}

/** Waits until a new table of donors has polled four times. What polls as often would have done so, too. */
export async function untilAnotherPolls(refreshSeconds: number) {
  const refresh = { 'refresh-seconds': `${refreshSeconds}`, 'viewer-token': 'another viewer' };
  const another = await openTable(refresh, '', 'connect-donors');
  await waitUntil(() => server.requestsTo('/api/v1/donors').length > 4, 'four polls');
  another.remove();
}

/** Opens the filters of a table, or without these its choice of columns. */
export async function openPanel(table: Element): Promise<HTMLElement> {
  await waitUntil(() => queryShadow(table, '.tools [aria-expanded]'), 'the toolbar');
  queryShadow(table, '.tools [aria-expanded]')!.click();
  await waitUntil(() => queryShadow(table, '.panel'), 'the filters');
  return queryShadow(table, '.panel')!;
}
