import type { Donation } from '@connect-embed/contract';
import { fixture, html } from '@open-wc/testing';
import type { ConnectDonations } from '../connect-donations.ts';
import { donation, jsonResponse, SERVER } from './server.ts';
import { waitUntil } from './wait-until.ts';

export const DONATIONS = '/api/v1/donations';

/** A viewer's session is shared by the page: every test has a viewer of its own. */
export let viewer = '';

let viewers = 0;
beforeEach(() => (viewer = `viewer_${++viewers}`));

/** A page of a list as the API answers it. */
export const listResponse = (data: unknown[], next_cursor: string | null = null) =>
  jsonResponse({ data, has_more: next_cursor !== null, next_cursor });

/** So many donations, newest first. */
export const some = (from: number, count: number, change: Partial<Donation> = {}) =>
  Array.from({ length: count }, (_, index) => donation(from - index, change));

export const queryShadow = (element: Element, selector: string) =>
  element.shadowRoot!.querySelector<HTMLElement>(selector);

export const rows = (element: Element) => [...element.shadowRoot!.querySelectorAll('.rows tr')];

export const names = (element: Element) =>
  rows(element).map((row) => row.querySelector('th')!.textContent.trim());

export const text = (element: Element) => element.shadowRoot!.textContent.replace(/\s+/g, ' ');

/** Opens a table of donations, and waits until it is drawn. */
export async function openTable(attributes: Record<string, string> = {}, inner = '') {
  const main = await fixture<HTMLElement>(html`<main></main>`);
  const element: ConnectDonations = document.createElement('connect-donations');
  const all = { server: SERVER, 'viewer-token': viewer, 'refresh-seconds': '0', ...attributes };
  for (const [name, value] of Object.entries(all)) element.setAttribute(name, value);
  element.innerHTML = inner;
  main.append(element);
  await element.updateComplete;
  await waitUntil(() => !queryShadow(element, '.blank'), 'the table is drawn');
  await element.updateComplete;
  return element;
}

/** Opens a table, and waits for what is fetched once rows are shown: it draws them anew. */
export async function openWholeTable(attributes?: Record<string, string>, inner?: string) {
  const element = await openTable(attributes, inner);
  await waitUntil(() => element.features, 'what comes late is there');
  await element.updateComplete;
  return element;
}
