import type { CDPSession, Page } from 'playwright/test';
import { expect, test } from '../e2e/support/fixtures.ts';

const TIMES = 100;
const KINDS = ['JSEventListeners', 'Frames', 'Nodes', 'Documents'] as const;
type Figures = Record<(typeof KINDS)[number], number>;

/** What the browser still holds once everything that nobody needs has been thrown away. */
async function measure(cdp: CDPSession): Promise<Figures> {
  await cdp.send('HeapProfiler.collectGarbage');
  await cdp.send('HeapProfiler.collectGarbage');
  const { metrics } = await cdp.send('Performance.getMetrics');
  const figure = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? 0;
  return Object.fromEntries(KINDS.map((kind) => [kind, figure(kind)])) as Figures;
}

/** Puts the element on the page, waits until it is drawn, does something with it, removes it. */
async function comeAndGo(page: Page, times: number, tag: string, attributes: object, act = false) {
  await page.evaluate(
    async ({ times, tag, attributes, act }) => {
      for (let turn = 0; turn < times; turn += 1) {
        const element = document.createElement(tag);
        for (const [name, value] of Object.entries(attributes)) {
          element.setAttribute(name, value as string);
        }
        const ready = new Promise((resolve) => {
          element.addEventListener('connect-ready', resolve, { once: true });
        });
        document.body.append(element);
        await ready;
        if (act) element.shadowRoot?.querySelector('input')?.click(); // Fetches the card form.
        await new Promise((resolve) => setTimeout(resolve, act ? 60 : 0));
        element.remove();
      }
      await new Promise((resolve) => setTimeout(resolve, 300));
    },
    { times, tag, attributes, act },
  );
}

test.describe('elements that come and go 100 times leave nothing', () => {
  test.setTimeout(180_000);
  for (const [what, tag, act] of [
    ['a form that is only seen', 'connect-donate', false],
    ['a form that is used', 'connect-donate', true],
  ] as const) {
    test(what, async ({ page, pages }) => {
      await page.goto(`${pages}/bare`);
      await page.waitForFunction((name) => customElements.get(name) !== undefined, tag);
      const cdp = await page.context().newCDPSession(page);
      await cdp.send('Performance.enable');
      await comeAndGo(page, 3, tag, {}, act); // Things that are made once are made now.
      const before = await measure(cdp);
      await comeAndGo(page, TIMES, tag, {}, act);
      const after = await measure(cdp);
      const leaked = Object.fromEntries(KINDS.map((kind) => [kind, after[kind] - before[kind]]));
      console.log(`${what}, ${TIMES} times: ${JSON.stringify(leaked)}, budget 0`);
      for (const kind of KINDS) expect(leaked[kind], kind).toBeLessThanOrEqual(0);
    });
  }
});
