import type { Page } from 'playwright/test';
import { expect, test } from '../e2e/support/fixtures.ts';
import { installFakeApi } from './fake-api.ts';
import { METRIC_KINDS, measureHeap, measureRetained } from './figures.ts';
import { WARM_UP_TURNS } from './mount-and-remove.ts';

const TIMES = 30;

/** Each element, with selectors that match once it is completely drawn. */
const ELEMENTS = {
  'donations with every tool': [
    '<connect-donations tools="search filters totals chart export" live></connect-donations>',
    ['.rows tr', '.totals dl', '.chart'],
  ],
  donors: ['<connect-donors live paging="infinite"></connect-donors>', ['.rows tr']],
  payouts: ['<connect-payouts live paging="pages"></connect-payouts>', ['.rows tr', '.pager']],
  'the details of a donation': [
    '<connect-donation-details donation-id="don_1"></connect-donation-details>',
    ['dl:not(.skeleton)'],
  ],
  'the details of a payout': [
    '<connect-payout-details payout-id="po_1"></connect-payout-details>',
    ['dl:not(.skeleton)', 'tbody tr'],
  ],
} as const;

/** Mounts and removes an element repeatedly. */
async function mountAndRemove(page: Page, html: string, drawn: readonly string[], times: number) {
  await page.evaluate(
    async ({ html, drawn, times }) => {
      for (let turn = 0; turn < times; turn += 1) {
        const provider = document.createElement('connect-provider');
        provider.setAttribute('server', location.origin);
        provider.innerHTML = html;
        document.body.append(provider);
        const root = () => provider.firstElementChild!.shadowRoot;
        const isDrawn = () =>
          drawn.every((selector) => {
            const node = root()?.querySelector(selector);
            return selector === '.chart' ? node?.shadowRoot?.querySelector('.bar') : node;
          });
        const until = performance.now() + 20_000;
        const { open_calls } = window as unknown as { open_calls: Set<string> };
        const isLive = () =>
          !html.includes(' live') || [...open_calls].some((name) => name.startsWith('stream'));
        while (!isDrawn() || !isLive()) {
          if (performance.now() > until) throw new Error(`Not drawn in turn ${turn}.`);
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
        provider.remove();
      }
      await new Promise((resolve) => setTimeout(resolve, 500));
    },
    { html, drawn, times },
  );
}

// See `leak.e2e.ts`: tracing leaks handles.
test.use({ trace: 'off' });

test.describe(`a table mounted and removed ${TIMES} times leaves nothing`, () => {
  for (const [name, [html, drawn]] of Object.entries(ELEMENTS)) {
    test(name, async ({ page, pages }) => {
      await page.addInitScript(installFakeApi);
      await page.goto(`${pages}/bare`);
      const cdp = await page.context().newCDPSession(page);
      await cdp.send('Performance.enable');
      await mountAndRemove(page, html, drawn, WARM_UP_TURNS);
      const before = await measureHeap(cdp);
      await mountAndRemove(page, html, drawn, TIMES);
      const leaked = await measureRetained(cdp, before);
      console.log(`${name}, ${TIMES} times: ${JSON.stringify(leaked)}, budget 0`);
      for (const kind of METRIC_KINDS) expect(leaked[kind], kind).toBeLessThanOrEqual(0);
      const open = () =>
        page.evaluate(() => [...(window as unknown as { open_calls: Set<string> }).open_calls]);
      expect(await open(), 'calls and streams that nobody waits for').toEqual([]);
    });
  }
});
