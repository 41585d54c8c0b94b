import type { Payout } from '@connect-embed/contract';
import { expect, fixture, html } from '@open-wc/testing';
import '../define.ts';
import { seriesResponse } from '../test-support/series.ts';
import { donation, jsonResponse } from '../test-support/server.ts';
import { server } from '../test-support/set-up.ts';
import { listResponse, some, viewer } from '../test-support/table.ts';
import { waitUntil } from '../test-support/wait-until.ts';

const read = async (file: string) =>
  await (await fetch(new URL(`../../../../docs/${file}`, import.meta.url))).text();

const guide = (await read('tables.md')) + (await read('tables-special-cases.md'));

const blocks = (language: string) =>
  [...guide.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(
    ([, text]) => text!,
  );

const payout: Payout = {
  id: 'po_1',
  object: 'payout',
  amount_cents: 5000,
  currency: 'usd',
  status: 'paid',
  arrival_date: '2026-11-09T00:00:00.000Z',
  created: '2026-11-06T08:00:00.000Z',
  description: null,
  statement_descriptor: null,
  automatic: true,
  trace_id: null,
  livemode: true,
};

/** The elements in the examples. An element has loaded when its frame is no longer `aria-busy`. */
const ELEMENTS =
  'connect-donations,connect-donors,connect-payouts,connect-donation-details,connect-payout-details';

const isShown = (element: Element) =>
  element.shadowRoot?.querySelector('.frame')?.getAttribute('aria-busy') === 'false';

beforeEach(() => {
  server.on('/connect/component-sessions', ({ body }) =>
    jsonResponse(
      {
        token: 'component_1',
        api_base: 'https://api.test/api/v1',
        expires_at: '2999-01-01T00:00:00Z',
        components: body['components'],
      },
      201,
    ),
  );
  server.on('/api/v1/donations', () => listResponse(some(2, 2)));
  server.on('/api/v1/donations/series', () => seriesResponse());
  server.on('/api/v1/donations/summary', () =>
    jsonResponse({ object: 'donation_summary', data: [] }),
  );
  server.on('/api/v1/donations/don_1', () => jsonResponse(donation(1)));
  server.on('/api/v1/payouts', () => listResponse([payout]));
  server.on('/api/v1/payouts/po_1', () => jsonResponse(payout));
  server.on('/api/v1/payouts/po_1/transactions', () => listResponse([]));
});

/** Inserts an example of the guide into the page. */
async function show(example: string) {
  const main = await fixture<HTMLElement>(html`<main></main>`);
  const server = 'https://giving.example.org';
  // Examples without `server` are meant for use inside a provider.
  main.innerHTML = example.includes('server=')
    ? example.replaceAll('viewer-token="…"', `viewer-token="${viewer}"`)
    : `<connect-provider server="${server}" viewer-token="${viewer}">${example}</connect-provider>`;
  const elements = [...main.querySelectorAll(ELEMENTS)];
  await waitUntil(() => elements.length > 0 && elements.every(isShown), 'all are shown');
  return elements;
}

describe('the guide to tables and details', () => {
  for (const example of blocks('html')) {
    it(`has an example that renders without warnings: ${example.split('\n')[0]}`, async () => {
      const { warn, error } = console;
      const errors: unknown[] = [];
      console.warn = console.error = (...parts: unknown[]) => errors.push(...parts);
      try {
        for (const element of await show(example)) {
          expect(element.shadowRoot!.querySelector('[role=alert]'), element.localName).to.equal(
            null,
          );
        }
      } finally {
        Object.assign(console, { warn, error });
      }
      expect(
        errors.filter((word) => !/Lit is in dev mode/.test(`${word as string}`)),
      ).to.deep.equal([]);
    });
  }

  it('has scripts that run', async () => {
    const { hash } = location;
    const errors: unknown[] = [];
    Object.assign(window, { ConnectEmbed: { init: (options: unknown) => errors.push(options) } });
    const [table] = await show('<connect-donations></connect-donations>');
    for (const script of blocks('js')) {
      const address = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
      await import(/* @vite-ignore */ address);
      URL.revokeObjectURL(address);
    }
    expect(errors).to.have.length(1);
    expect((table as HTMLElementTagNameMap['connect-donations']).defaultFilters).to.deep.equal({
      fund_id: 'fund_meals',
    });
    table!.shadowRoot!.querySelector<HTMLElement>('.open')!.click();
    await waitUntil(() => location.hash === '#don_2', 'the page of its own');
    expect(table!.shadowRoot!.querySelector('dialog')).to.equal(null);
    history.replaceState(null, '', hash || ' ');
    delete (window as { ConnectEmbed?: unknown }).ConnectEmbed;
  });
});
