import type { Page } from 'playwright';
import { measureHeap, measureRetained } from './figures.ts';

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
export async function measureLeak(page: Page, times: number, moment: RemovalMoment) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Performance.enable');
  await mountAndRemove(page, WARM_UP_TURNS, moment);
  const measureTurns = async () => {
    const before = await measureHeap(cdp);
    await mountAndRemove(page, times, moment);
    return await measureRetained(cdp, before);
  };
  const retained = await measureTurns();
  // On a busy machine, something can appear for the first time after the warm-up, which the page then keeps once. A
  // leak grows with every turn.
  return Object.values(retained).every((count) => count <= 0) ? retained : await measureTurns();
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
