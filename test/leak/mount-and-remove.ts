import type { CDPSession, Page } from 'playwright';

const KINDS = ['JSEventListeners', 'Frames', 'Nodes', 'Documents'] as const;
type LeakFigures = Record<(typeof KINDS)[number], number>;

/**
 * Turns before the measurement. They create everything that is created once, and fill the browser's
 * own pools. More of them would only take longer: the measured turns must leave nothing in any case.
 */
export const WARM_UP_TURNS = 20;

/** When the mounted element is removed. */
export const REMOVAL_MOMENTS = [
  'once drawn',
  'while the card form loads',
  'once the card form is drawn',
] as const;
type RemovalMoment = (typeof REMOVAL_MOMENTS)[number];

/**
 * Mounts and removes the form repeatedly.
 *
 * @returns the increase of each metric
 */
export async function measureLeak(
  page: Page,
  times: number,
  moment: RemovalMoment,
): Promise<LeakFigures> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Performance.enable');
  await mountAndRemove(page, WARM_UP_TURNS, moment);
  const before = await measure(cdp);
  await mountAndRemove(page, times, moment);
  return await measureLeft(cdp, before);
}

/** Returns the metrics after garbage collection. */
async function measure(cdp: CDPSession): Promise<LeakFigures> {
  await cdp.send('HeapProfiler.collectGarbage');
  await cdp.send('HeapProfiler.collectGarbage');
  const { metrics } = await cdp.send('Performance.getMetrics');
  const figure = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? 0;
  return Object.fromEntries(KINDS.map((kind) => [kind, figure(kind)])) as LeakFigures;
}

/**
 * Returns the increase of the metrics. The browser frees frames and their content asynchronously,
 * so the increase is measured repeatedly until it is zero, or for ten seconds.
 */
async function measureLeft(cdp: CDPSession, before: LeakFigures): Promise<LeakFigures> {
  for (let attempt = 0; ; attempt += 1) {
    const now = await measure(cdp);
    const growth = Object.fromEntries(KINDS.map((kind) => [kind, now[kind] - before[kind]]));
    if (attempt === 20 || KINDS.every((kind) => (growth[kind] ?? 0) <= 0))
      return growth as LeakFigures;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

async function mountAndRemove(page: Page, times: number, moment: RemovalMoment) {
  await page.evaluate(
    async ({ times, moment }) => {
      const cardDrawn = async (element: Element) => {
        const loadingCard = () => element.shadowRoot?.querySelector('.payment[aria-busy=true]');
        while (loadingCard() || !element.querySelector('iframe')) {
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
          // Loads the card form. An earlier turn's choice is restored, so a click on the checked
          // option would change nothing.
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
