import { expect, test } from '../e2e/support/fixtures.ts';
import { measureLeak, REMOVAL_MOMENTS } from './mount-and-remove.ts';

const TIMES = 100;

/*
 * A trace holds every iframe that goes while Playwright makes a note of it, five nodes each, and
 * would be counted: its `_annotateFrameHierarchy` drops the handle only where the note was made.
 */
test.use({ trace: 'off' });

test.describe(`a form that comes and goes ${TIMES} times leaves nothing`, () => {
  test.setTimeout(600_000); // Two hundred card forms, one after another, on a slow machine.
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
