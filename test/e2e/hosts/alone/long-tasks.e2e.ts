import { expect, test } from '../../support/fixtures.ts';

const BUDGET_MILLISECONDS = 50;
const SLOW_DOWN = 4;
/** Other programs of the machine lengthen a task, and nothing shortens one: the best counts. */
const LOADS = 20;

test('no long task while the form comes to a slow machine', async ({ page, pages }) => {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: SLOW_DOWN });
  await cdp.send('Network.setCacheDisabled', { cacheDisabled: true }); // Every load is a first one.
  await page.addInitScript(() => {
    const longest = { longest: 0 };
    Object.assign(window, longest);
    new PerformanceObserver((list) => {
      const durations = list.getEntries().map(({ duration }) => duration);
      Object.assign(window, { longest: Math.max(...durations) });
    }).observe({ type: 'longtask', buffered: true });
  });
  const longest: number[] = [];
  const within = () => Math.min(...longest) <= BUDGET_MILLISECONDS;
  for (let load = 0; load < LOADS && !within(); load += 1) {
    await page.goto(`${pages}/hosts/the-script-in-the-head`);
    await expect(page.getByRole('button', { name: /^Give/ })).toBeVisible();
    await page.waitForLoadState('networkidle');
    longest.push(await page.evaluate(() => (window as unknown as { longest: number }).longest));
  }
  console.log(`long tasks at ${SLOW_DOWN} × slow-down: ${longest.join(', ')} ms (0: none over 50)`);
  expect(Math.min(...longest)).toBeLessThanOrEqual(BUDGET_MILLISECONDS);
});
