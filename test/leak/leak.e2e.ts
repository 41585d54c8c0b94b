import { expect, test } from '../e2e/support/fixtures.ts';
import { measureLeak, REMOVAL_MOMENTS } from './mount-and-remove.ts';

const TIMES = 30;

/*
 * No trace: Playwright's tracing (`_annotateFrameHierarchy`) leaks a handle of five nodes for every
 * iframe that is removed while it records, which would be counted.
 */
test.use({ trace: 'off' });

test.describe(`a form mounted and removed ${TIMES} times leaves nothing`, () => {
  test.setTimeout(300_000); // Up to eighty card forms, one after another, on a slow machine.
  for (const moment of REMOVAL_MOMENTS) {
    test(moment, async ({ page, pages }) => {
      await page.goto(`${pages}/bare`);
      const leaked = await measureLeak(page, TIMES, moment);
      console.log(`removed ${moment}, ${TIMES} times: ${JSON.stringify(leaked)}, budget 0`);
      for (const [kind, count] of Object.entries(leaked)) {
        expect(count, kind).toBeLessThanOrEqual(0);
      }
    });
  }
});
