import type { CDPSession, Page } from 'playwright';

const KINDS = ['JSEventListeners', 'Frames', 'Nodes', 'Documents'] as const;
export type LeakFigures = Record<(typeof KINDS)[number], number>;

/** When an element that comes and goes is taken away again. */
export const REMOVAL_MOMENTS = [
  'once drawn',
  'while the card form loads',
  'once the card form is drawn',
] as const;
export type RemovalMoment = (typeof REMOVAL_MOMENTS)[number];

/** Puts the form on a page and takes it away, so many times. @returns what that has left behind */
export async function measureLeak(
  page: Page,
  times: number,
  moment: RemovalMoment,
): Promise<LeakFigures> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Performance.enable');
  // Things that are made once are made now, and the browser's own pools fill up.
  await mountAndRemove(page, times, moment);
  const before = await measure(cdp);
  await mountAndRemove(page, times, moment);
  return await measureLeft(cdp, before);
}

/** What the browser still holds once everything that nobody needs has been thrown away. */
async function measure(cdp: CDPSession): Promise<LeakFigures> {
  await cdp.send('HeapProfiler.collectGarbage');
  await cdp.send('HeapProfiler.collectGarbage');
  const { metrics } = await cdp.send('Performance.getMetrics');
  const figure = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? 0;
  return Object.fromEntries(KINDS.map((kind) => [kind, figure(kind)])) as LeakFigures;
}

/**
 * What a hundred turns have left behind. Frames and what stood in them go in the browser's own
 * time, so it is asked again until nothing is left, or for so long that something is.
 */
async function measureLeft(cdp: CDPSession, before: LeakFigures): Promise<LeakFigures> {
  for (let asked = 0; ; asked += 1) {
    const now = await measure(cdp);
    const left = Object.fromEntries(KINDS.map((kind) => [kind, now[kind] - before[kind]]));
    if (asked === 20 || KINDS.every((kind) => (left[kind] ?? 0) <= 0)) return left as LeakFigures;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

async function mountAndRemove(page: Page, times: number, moment: RemovalMoment) {
  await page.evaluate(
    async ({ times, moment }) => {
      const cardDrawn = async (element: Element) => {
        const busy = () => element.shadowRoot?.querySelector('.card[aria-busy=true]');
        while (busy() || !element.querySelector('iframe')) {
          await new Promise((resolve) => setTimeout(resolve, 10));
        }
      };
      for (let turn = 0; turn < times; turn += 1) {
        const element = document.createElement('connect-donate');
        const ready = new Promise((resolve) => {
          element.addEventListener('connect-ready', resolve, { once: true });
        });
        document.body.append(element);
        await ready;
        if (moment !== 'once drawn') {
          await new Promise((resolve) => requestAnimationFrame(resolve));
          // Fetches the card form. What an earlier turn chose is kept, and a click on it changes nothing.
          element.shadowRoot?.querySelector<HTMLElement>('input:not(:checked)')?.click();
        }
        if (moment === 'once the card form is drawn') await cardDrawn(element);
        element.remove();
      }
      await new Promise((resolve) => setTimeout(resolve, 500));
    },
    { times, moment },
  );
}
