import { expect } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import '../define.ts';
import type { ConnectDonations } from '../connect-donations.ts';
import { seriesResponse, createSums, yearlySeries } from '../test-support/series.ts';
import { server } from '../test-support/set-up.ts';
import { DONATIONS, openPanel, openWholeTable, listResponse, some } from '../test-support/table.ts';
import { waitUntil } from '../test-support/wait-until.ts';
import { formatCompactMoney } from './chart-data.ts';
import { gridLines, namedSteps } from './chart-scale.ts';

const SERIES = `${DONATIONS}/series`;

beforeEach(() => {
  server.on(DONATIONS, () => listResponse(some(2, 2)));
  server.on(SERIES, () => seriesResponse());
});
afterEach(() => document.documentElement.removeAttribute('dir'));

const rootOf = (table: Element) => table.shadowRoot!.querySelector('.chart')?.shadowRoot;
const bars = (table: Element) => [...rootOf(table)!.querySelectorAll<SVGElement>('.bar')];
const labels = (table: Element) => bars(table).map((bar) => bar.getAttribute('aria-label'));
const summaryOf = (table: Element) =>
  [...rootOf(table)!.querySelectorAll('.summary > *')]
    .map((part) => part.textContent.trim())
    .join(' · ');
const activeIndex = (table: Element) => bars(table).findIndex((bar) => bar.matches('.active'));

async function openChart(attributes: Record<string, string> = {}): Promise<ConnectDonations> {
  const table = await openWholeTable({ tools: 'chart', ...attributes });
  await waitUntil(() => rootOf(table)?.querySelector('.bars, .empty'), 'the chart is drawn');
  return table;
}

describe('the chart of donations over time', () => {
  it('has a bar per period, proportional to its gross amount, and none for a period without donations', async () => {
    const table = await openChart();
    const heights = bars(table).map((bar) => bar.querySelector('.gross')!.getBoundingClientRect());
    expect(heights).to.have.length(12);
    expect(heights[1]!.height).to.equal(0);
    expect(heights[11]!.height).to.be.closeTo(heights[5]!.height * 2, 0.5);
    expect(heights[11]!.height).to.be.greaterThan(60);
    expect(rootOf(table)!.querySelectorAll('.refunded')).to.have.length(1);
  });

  it('has an accessible name for every image that is not hidden from screen readers', async () => {
    const table = await openChart();
    const unnamed = [...rootOf(table)!.querySelectorAll('svg')].filter(
      (svg) =>
        !svg.closest('[aria-hidden=true]') &&
        !(svg.getAttribute('role') && svg.getAttribute('aria-label')?.trim()),
    );
    expect(unnamed.map((svg) => svg.outerHTML)).to.deep.equal([]);
  });

  it('is one figure whose group is named by period and total, with the same data as a table', async () => {
    const table = await openChart();
    const figure = rootOf(table)!.querySelectorAll('figure');
    expect(figure).to.have.length(1);
    const group = figure[0]!.querySelector('svg[role=group]')!;
    expect(group.getAttribute('aria-label')).to.match(
      /^.+, January 2026 – December 2026: \d+ donations · Gross \$[\d,.]+ · Net \$[\d,.]+/,
    );
    expect(rootOf(table)!.querySelector('details table caption')).not.to.equal(null);
  });

  it('describes each period and the total as text', async () => {
    const table = await openChart();
    expect(labels(table)[0]).to.equal('January 2026: 1 donation · Gross $100.00 · Net $95.00');
    expect(labels(table)[1]).to.equal('February 2026: 0 donations · Gross $0.00 · Net $0.00');
    expect(labels(table)[11]).to.include('Refunded $25.00');
    expect(summaryOf(table)).to.equal(
      'January 2026 – December 2026 · 76 donations · Gross $7,600.00 · Net $7,220.00 · Refunded $25.00',
    );
  });

  it('has the same figures in a table', async () => {
    const table = await openChart();
    const details = rootOf(table)!.querySelector('details')!;
    details.querySelector('summary')!.click();
    expect(details.open).to.equal(true);
    const rows = [...details.querySelectorAll('tbody tr')].map((row) =>
      [...row.children].map((cell) => cell.textContent.trim()),
    );
    expect(rows).to.have.length(12);
    expect(rows[11]).to.deep.equal([
      'December 2026',
      '12 donations',
      '$1,200.00',
      '$1,140.00',
      '$25.00',
    ]);
    expect(details.querySelectorAll('thead th[scope=col]')).to.have.length(5);
  });

  it('omits the net while it is unknown for a period', async () => {
    server.on(SERIES, () => seriesResponse(yearlySeries({ net_cents: null })));
    const table = await openChart();
    expect(summaryOf(table)).not.to.include('Net');
    expect(labels(table)[0]).not.to.include('Net');
  });

  it('is one tab stop, and the arrow keys move from bar to bar', async () => {
    const table = await openChart();
    const stops = bars(table).filter((bar) => bar.getAttribute('tabindex') === '0');
    expect(stops).to.deep.equal([bars(table)[11]]);
    stops[0]!.focus();
    expect(summaryOf(table)).to.include('December 2026 · 12 donations');
    await sendKeys({ press: 'ArrowLeft' });
    expect(rootOf(table)!.activeElement).to.equal(bars(table)[10]);
    expect(summaryOf(table)).to.include('November 2026 · 11 donations');
    await sendKeys({ press: 'Home' });
    expect(activeIndex(table)).to.equal(0);
    await sendKeys({ press: 'ArrowLeft' });
    expect(activeIndex(table)).to.equal(0);
    await sendKeys({ press: 'Tab' });
    expect(rootOf(table)!.activeElement).to.equal(rootOf(table)!.querySelector('summary'));
    expect(activeIndex(table)).to.equal(-1);
    await sendKeys({ press: 'Shift+Tab' });
    expect(activeIndex(table)).to.equal(0);
  });

  it('is mirrored on a right-to-left page, and so are its arrow keys', async () => {
    document.documentElement.dir = 'rtl';
    document.documentElement.lang = 'ar';
    const table = await openChart();
    await waitUntil(() => rootOf(table)!.querySelector('.bars.rtl'), 'right to left');
    const [first, second] = bars(table).map((bar) => bar.getBoundingClientRect());
    expect(first!.right).to.be.greaterThan(second!.right);
    bars(table)[11]!.focus();
    await sendKeys({ press: 'ArrowRight' });
    expect(activeIndex(table)).to.equal(10);
  });

  it('has the same height for every active bar, at every width', async () => {
    const table = await openChart();
    for (const width of [280, 320, 480, 768, 1280]) {
      table.parentElement!.style.inlineSize = `${width}px`;
      const heights = new Set<number>();
      for (const bar of bars(table)) {
        bar.focus();
        await table.updateComplete;
        heights.add(rootOf(table)!.querySelector('figure')!.offsetHeight);
      }
      expect([...heights], `${width} px`).to.have.length(1);
    }
  });

  it('shows the figures of the bar under the pointer', async () => {
    const table = await openChart();
    const move = (target: Element) =>
      target.dispatchEvent(new PointerEvent('pointermove', { bubbles: true, composed: true }));
    move(bars(table)[3]!.querySelector('.hit-area')!);
    expect(summaryOf(table)).to.include('April 2026');
    move(rootOf(table)!.querySelector('.summary strong')!);
    expect(summaryOf(table), 'the pointer on the figures').to.include('April 2026');
    move(rootOf(table)!.querySelector('.title')!);
    expect(summaryOf(table)).to.include('January 2026 – December 2026');
  });

  it('uses the table’s filters and time zone', async () => {
    const table = await openChart({ tools: 'chart filters', 'time-zone': 'Asia/Tokyo' });
    expect(Object.fromEntries(server.requestsTo(SERIES)[0]!.query)).to.deep.equal({
      time_zone: 'Asia/Tokyo',
    });
    server.on(SERIES, () => seriesResponse({ ...yearlySeries(), interval: 'week', data: [] }));
    const kind = (await openPanel(table)).querySelectorAll('select')[1]!;
    kind.value = 'true';
    kind.dispatchEvent(new Event('change'));
    await waitUntil(() => rootOf(table)!.querySelector('.empty'), 'nothing matches');
    expect(Object.fromEntries(server.requestsTo(SERIES)[1]!.query)).to.deep.equal({
      recurring: 'true',
      time_zone: 'Asia/Tokyo',
    });
    expect(rootOf(table)!.textContent).to.include('No matches');
  });

  it('has one chart per currency', async () => {
    const series = yearlySeries();
    for (const { sums: sums } of series.data) {
      sums.push({
        ...(sums[0] ?? yearlySeries().data[0]!.sums[0]!),
        currency: 'jpy',
        gross_cents: 500,
      });
    }
    server.on(SERIES, () => seriesResponse(series));
    const table = await openChart();
    const titles = [...rootOf(table)!.querySelectorAll('.title')].map((title) => title.textContent);
    expect(titles).to.deep.equal(['Donations by month (JPY)', 'Donations by month (USD)']);
    expect(labels(table)[0]).to.include('¥500');
    bars(table)[23]!.focus();
    await sendKeys({ press: 'ArrowLeft' });
    expect(activeIndex(table)).to.equal(22);
  });

  it('starts with the currency that has the most donations, as the totals do', async () => {
    const series = yearlySeries();
    series.data[3]!.sums.unshift(createSums({ currency: 'eur' }));
    server.on(SERIES, () => seriesResponse(series));
    const table = await openChart();
    const titles = [...rootOf(table)!.querySelectorAll('.title')].map((title) => title.textContent);
    expect(titles).to.deep.equal(['Donations by month (USD)', 'Donations by month (EUR)']);
  });

  it('shows an error if it cannot be loaded, and loads on retry', async () => {
    server.on(SERIES, (_, times) => (times === 1 ? undefined : seriesResponse()));
    const table = await openChart();
    expect(rootOf(table)!.querySelector('[role=alert]')).to.include.text(
      'Data could not be loaded',
    );
    rootOf(table)!.querySelector('button')!.click();
    await waitUntil(() => bars(table).length === 12, 'the chart is drawn');
  });

  it('does not move the rows when it loads', async () => {
    let respond!: (series: Response) => void;
    server.on(SERIES, () => new Promise<Response>((resolve) => (respond = resolve)));
    const table = await openWholeTable({ tools: 'totals chart' });
    await waitUntil(() => server.requestsTo(SERIES).length === 1, 'requested');
    const row = table.shadowRoot!.querySelector('.rows tr')!;
    const top = row.getBoundingClientRect().top;
    respond(seriesResponse());
    await waitUntil(() => rootOf(table)?.querySelector('.bars'), 'the chart is drawn');
    expect(row.getBoundingClientRect().top).to.be.closeTo(top, 0.5);
  });

  it('uses the page’s language', async () => {
    document.documentElement.lang = 'de';
    const table = await openChart();
    const inGerman = /^Dezember 2026: 12 Spenden · Brutto 1\.200,00\s\$/;
    await waitUntil(() => inGerman.test(labels(table)[11]!), 'German');
    expect(rootOf(table)!.textContent).to.include('Spenden nach Monaten');
  });

  it('is available for donations only', async () => {
    const element = document.createElement('connect-payouts');
    Object.assign(element, { server: 'https://server.test', viewerToken: 'p', tools: 'chart' });
    document.body.append(element);
    await waitUntil(() => element.features, 'late');
    await element.updateComplete;
    expect(rootOf(element)).to.equal(undefined);
    element.remove();
  });

  for (const direction of ['ltr', 'rtl']) {
    it(`fits at every width: ${direction}`, async () => {
      document.documentElement.dir = direction;
      const table = await openChart();
      rootOf(table)!.querySelector('summary')!.click();
      for (const width of [280, 320, 768, 1280]) {
        table.parentElement!.style.inlineSize = `${width}px`;
        const frame = table.shadowRoot!.querySelector('.frame')!;
        await waitUntil(() => frame.scrollWidth <= frame.clientWidth, `fits into ${width} px`);
      }
    });
  }
});

describe('the grid lines of a chart', () => {
  it('are round and few, and the top one is not below the highest bar', () => {
    for (let most = 1; most < 10 ** 12; most = Math.ceil(most * 1.37)) {
      const lines = gridLines(most);
      expect(lines[0]).to.equal(0);
      expect(lines.at(-1)).to.be.at.least(most);
      expect(lines.at(-2)).to.be.lessThan(most);
      expect(lines.length, `${most}`).to.be.within(2, 4);
      expect(`${lines[1]}`).to.match(/^(1|2|5)0*$/);
    }
    expect(gridLines(0)).to.deep.equal([0, 1]);
  });

  it('have amounts whose currency keeps its order in Arabic', () => {
    // Some engines begin with a right-to-left mark, others write only the Arabic word.
    expect(formatCompactMoney(500_000, 'usd', 'ar')).to.match(/^[\u200f\d].*US\$\u200e$/);
    expect(formatCompactMoney(500_000, 'usd', 'en')).to.equal('$5K');
  });

  it('and its axis labels are the first, the last and a few between', () => {
    expect([0, 1, 2, 5, 12].map((count) => namedSteps(count))).to.deep.equal([
      ...[[], [0], [0, 1], [0, 1, 2, 3, 4], [0, 3, 6, 8, 11]],
    ]);
  });
});
