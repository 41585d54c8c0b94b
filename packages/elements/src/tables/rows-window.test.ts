import { aTimeout, expect, nextFrame, oneEvent } from '@open-wc/testing';
import { executeServerCommand, sendMouse, setViewport } from '@web/test-runner-commands';
import '../define.ts';
import type { ConnectDonations } from '../connect-donations.ts';
import { donation } from '../test-support/server.ts';
import { server } from '../test-support/set-up.ts';
import { DONATIONS, openWholeTable, listResponse, rows, some } from '../test-support/table.ts';
import { waitUntil } from '../test-support/wait-until.ts';

/** Turns the mouse wheel like a viewer: each turn starts before the previous smooth scroll has ended. */
async function turnWheel(times: number, deltaY: number) {
  const hasEnded = oneEvent(document, 'scrollend');
  for (let index = 0; index < times; index += 1) {
    await executeServerCommand('wheel', { deltaY });
    // The rhythm of a hand at the wheel.
    await aTimeout(60);
  }
  await hasEnded;
}

/** 10,000 donations. Every third has a long donor name, which wraps to several lines in the card layout. */
const manyDonations = () =>
  some(10_000, 10_000).map((one, index) =>
    index % 3 ? one : { ...one, donor_name: `${one.donor_name} ${'and family '.repeat(8)}` },
  );

/** The first visible row and its position. */
function firstSeen(table: Element) {
  const row = rows(table).find((one) => one.getBoundingClientRect().bottom > 0);
  return row && { row, top: row.getBoundingClientRect().top };
}

/** Scrolls to where no row has been measured. */
async function scrollFarDown(table: Element) {
  const hasEnded = oneEvent(document, 'scrollend');
  document.scrollingElement!.scrollTop = 100_000;
  await hasEnded;
  await waitUntil(() => (firstSeen(table)?.top ?? Infinity) < innerHeight, 'rows are drawn there');
  await nextFrame(); // The rows are measured.
}

describe('scrolling through 10,000 rows', () => {
  let table: ConnectDonations;
  beforeEach(() => server.on(DONATIONS, () => listResponse(manyDonations())));
  afterEach(() => setViewport({ width: 800, height: 600 }));

  for (const width of [1200, 400]) {
    it(`moves as far as the wheel turns, ${width} px wide`, async () => {
      await setViewport({ width, height: 900 });
      table = await openWholeTable();
      await sendMouse({ type: 'move', position: [150, 400] });
      await turnWheel(20, 400);
      expect(scrollY).to.be.closeTo(8000, 2);
      await turnWheel(20, -400);
      expect(scrollY).to.be.closeTo(0, 2);
    });

    it(`moves as far as the wheel turns up from the middle, ${width} px wide`, async () => {
      await setViewport({ width, height: 900 });
      table = await openWholeTable();
      await scrollFarDown(table);
      await sendMouse({ type: 'move', position: [150, 400] });
      const { row, top } = firstSeen(table)!;
      await turnWheel(1, -400);
      // The rows above were not measured before; their real heights must not change the distance.
      expect(row.getBoundingClientRect().top - top).to.be.closeTo(400, 2);
    });
  }

  it('shows the rows at the position of a scroller in a shadow root', async () => {
    await setViewport({ width: 1200, height: 900 });
    table = await openWholeTable();
    const app = document.createElement('div');
    const scroller = document.createElement('div');
    scroller.style.cssText = 'block-size: 600px; overflow: auto';
    app.attachShadow({ mode: 'open' }).append(scroller);
    table.parentElement!.append(app);
    scroller.append(table);
    await waitUntil(() => rows(table).length > 0, 'rows');
    scroller.scrollTop = 100_000;
    const isVisible = () => rows(table).some((row) => row.getBoundingClientRect().top > 0);
    await waitUntil(isVisible, 'rows are drawn there');
    expect(firstSeen(table)!.top).to.be.lessThan(600);
  });

  it('keeps the scroll position when rows are added on top', async () => {
    await setViewport({ width: 1200, height: 900 });
    table = await openWholeTable();
    await scrollFarDown(table);
    const { row, top } = firstSeen(table)!;
    table.pages.rows = [donation(10_002), donation(10_001), ...table.pages.rows];
    table.requestUpdate();
    await table.updateComplete;
    // The rows are measured and moved before it is drawn, or it would be too late to see it.
    await nextFrame();
    await nextFrame();
    expect(row.isConnected).to.equal(true);
    expect(row.getBoundingClientRect().top).to.be.closeTo(top, 1);
  });
});
