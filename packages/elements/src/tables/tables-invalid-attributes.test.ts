import { expect, fixture, html } from '@open-wc/testing';
import '../define.ts';
import { donation, jsonResponse, SERVER } from '../test-support/server.ts';
import { server } from '../test-support/set-up.ts';
import { DONATIONS, listResponse } from '../test-support/table.ts';
import { untilQuiet } from '../test-support/until-quiet.ts';
import { waitUntil } from '../test-support/wait-until.ts';

interface ElementDescription {
  tagName?: string;
  attributes?: { name: string }[];
}

const response = await fetch(new URL('../../custom-elements.json', import.meta.url));
const { modules } = (await response.json()) as {
  modules: { declarations: ElementDescription[] }[];
};
const elements = modules
  .flatMap(({ declarations }) => declarations)
  .filter(
    ({ tagName }) => tagName && !/donate|goal/.test(tagName),
  ) as Required<ElementDescription>[];

/**
 * An invalid value for each attribute, and a part of the expected warning. The warning is empty where
 * any text is valid.
 */
const INVALID_VALUES: Readonly<Record<string, readonly [value: string, expectedRule: string]>> = {
  server: ['http://[', 'a URL'],
  limit: ['many', 'a whole number from 1 to 100'],
  'refresh-seconds': ['often', 'a number of seconds'],
  columns: ['color', 'any of '],
  tools: ['find', 'any of search'],
  paging: ['endless', 'any of more, pages, infinite'],
  'time-zone': ['Mars/Olympus', 'a time zone such as America/New_York'],
  locale: ['no language', 'a language such as de-AT'],
  theme: ['purple', 'one of light, dark, auto'],
  messages: ['{no JSON', 'a JSON object'],
  'donation-link': ['/gifts', 'a URL that contains {id}'],
  'viewer-token': ['anybody', ''],
  live: ['perhaps', ''],
  'donation-id': ['don_1', ''],
  'payout-id': ['po_1', ''],
};

const createdAt = '2026-11-20T12:00:00.000Z';
const payout = {
  ...{ id: 'po_1', object: 'payout', amount_cents: 5000, currency: 'usd', status: 'paid' },
  ...{ arrival_date: createdAt, created: createdAt, description: null, statement_descriptor: null },
};
const part = {
  ...{
    id: 'pd_1',
    reporting_category: 'charge',
    donation_id: 'don_1',
    currency: 'usd',
    created_at: createdAt,
  },
  ...{ amount_cents: 5000, fee_cents: 0, net_amount_cents: 5000 },
};

let counter = 0;
beforeEach(() => {
  counter += 1;
  server.on(DONATIONS, () => listResponse([donation(1)]));
  server.on(`${DONATIONS}/don_1`, () => jsonResponse(donation(1)));
  server.on('/api/v1/payouts', () => listResponse([payout]));
  server.on('/api/v1/payouts/po_1', () => jsonResponse(payout));
  server.on('/api/v1/payouts/po_1/transactions', () => listResponse([part]));
});

/** Collects uncaught errors, unhandled rejections and console warnings while `act` runs. */
async function collectWarnings(
  act: () => Promise<void>,
): Promise<{ thrown: string[]; warnings: string[] }> {
  const [thrown, warnings]: [string[], string[]] = [[], []];
  const { warn } = console;
  console.warn = (text: string) => warnings.push(text);
  const caught = (event: ErrorEvent | PromiseRejectionEvent) => {
    event.preventDefault();
    thrown.push(`${'reason' in event ? event.reason : event.message}`);
  };
  addEventListener('error', caught);
  addEventListener('unhandledrejection', caught);
  await act();
  removeEventListener('error', caught);
  removeEventListener('unhandledrejection', caught);
  console.warn = warn;
  return { thrown, warnings };
}

for (const { tagName, attributes } of elements) {
  describe(`an invalid attribute value of <${tagName}>`, () => {
    for (const { name } of attributes) {
      it(`is ignored, with one warning that names the allowed values: ${name}`, async () => {
        const [value, expectedRule] = INVALID_VALUES[name] ?? [
          '',
          `a value of ${name} in this test`,
        ];
        const { thrown, warnings } = await collectWarnings(async () => {
          const holder = await fixture<HTMLElement>(html`<div></div>`);
          const all: Record<string, string> = {
            ...{ server: SERVER, 'viewer-token': `bad_${counter}`, 'refresh-seconds': '0' },
            ...(tagName.includes('donation-') && { 'donation-id': 'don_1' }),
            ...(tagName.includes('payout-') && { 'payout-id': 'po_1' }),
            [name]: value,
          };
          const element = document.createElement(tagName);
          for (const [one, text] of Object.entries(all)) element.setAttribute(one, text);
          const table = document.createElement('connect-donations');
          if (tagName === 'connect-provider') element.append(table);
          holder.append(element);
          const shown = tagName === 'connect-provider' ? table : element;
          const frame = () => shown.shadowRoot?.querySelector('.frame[aria-busy=false]');
          await waitUntil(() => frame() && (!('features' in shown) || shown.features), 'drawn');
          await untilQuiet();
          (shown as HTMLElementTagNameMap['connect-donations']).requestUpdate();
          await untilQuiet();
          if (name !== 'server') {
            const text = shown.shadowRoot!.textContent;
            expect(text).not.to.include('could not be loaded');
          }
        });
        expect(thrown).to.deep.equal([]);
        expect(warnings).to.have.length(expectedRule ? 1 : 0);
        if (expectedRule)
          expect(warnings[0]).to.include(`<${tagName}> ${name}="`).and.include(expectedRule);
      });
    }
  });
}
