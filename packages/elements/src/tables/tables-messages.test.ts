import { expect, fixture, html } from '@open-wc/testing';
import '../define.ts';
import type { ConnectDonations } from '../connect-donations.ts';
import { donation, FakeServer, jsonResponse, SERVER } from '../test-support/server.ts';
import { waitUntil } from '../test-support/wait-until.ts';

const DONATIONS = '/api/v1/donations';
let server: FakeServer;
let viewer = 0;

beforeEach(() => {
  server = new FakeServer();
  viewer += 1;
  const data = [donation(2), donation(1)];
  server.on(DONATIONS, () => jsonResponse({ data, has_more: false, next_cursor: null }));
});
afterEach(() => server.restore());

const make = (change: Partial<ConnectDonations>) => {
  const table = document.createElement('connect-donations');
  const attributes = { server: SERVER, viewerToken: `words_${viewer}`, refreshSeconds: 0 };
  return Object.assign(table, attributes, change);
};

const inside = (table: Element, selector: string) =>
  table.shadowRoot!.querySelector<HTMLElement>(selector);
const textOf = (table: Element) => table.shadowRoot!.textContent.replace(/\s+/g, ' ');

describe('the messages of a table', () => {
  it('are not shown in English before their translation has loaded', async () => {
    const holder = await fixture(html`<div></div>`);
    const table = make({ locale: 'de-AT' });
    const seen: string[] = [];
    const { render } = Object.getPrototypeOf(table) as { render(): unknown };
    Object.assign(table, {
      render(this: ConnectDonations) {
        const { status } = this.pages;
        if (!this.isUntranslated) seen.push(`${status} ${this.caption}`);
        return render.call(this);
      },
    });
    holder.append(table);
    await table.updateComplete;
    const frame = inside(table, '.frame')!;
    expect(frame.inert).to.equal(true);
    expect(getComputedStyle(inside(table, 'caption')!).color).to.equal('rgba(0, 0, 0, 0)');
    const height = table.offsetHeight;
    const head = inside(table, 'thead')!.getBoundingClientRect().top;
    await waitUntil(() => textOf(table).includes('Alle angezeigt (2)'), 'German');
    expect(new Set(seen.map((one) => one.split(' ')[1]))).to.deep.equal(new Set(['Spenden']));
    expect(inside(table, '.frame')!.inert).to.equal(false);
    expect(inside(table, 'thead')!.getBoundingClientRect().top).to.be.closeTo(head, 1);
    expect(table.offsetHeight).to.be.at.most(height);
  });

  it('are independent of other tables: two languages and custom messages on one page', async () => {
    const holder = await fixture(html`<div></div>`);
    const tables = [
      make({ locale: 'de' }),
      make({ locale: 'fr' }),
      make({ messages: { donations: 'Gifts', all: 'That is all: {count}' } }),
      make({ locale: 'de', messages: { donations: 'Gifts', de: { donations: 'Gaben' } } }),
      make({}),
    ];
    holder.append(...tables);
    const captions = () => tables.map((table) => inside(table, 'caption')?.textContent.trim());
    const all = ['Spenden', 'Dons', 'Gifts', 'Gaben', 'Donations'];
    await waitUntil(() => `${captions()}` === `${all}`, 'five captions');
    await waitUntil(() => tables.every((table) => inside(table, '.badge')), 'rows');
    for (const table of tables) table.requestUpdate();
    await Promise.all(tables.map(({ updateComplete }) => updateComplete));
    expect(captions()).to.deep.equal(all);
    expect(textOf(tables[2]!)).to.include('That is all: 2');
    expect(textOf(tables[4]!)).to.include('All 2 shown');
    expect(inside(tables[4]!, '.badge')).to.have.text('Paid');
  });
});

describe('an invalid attribute value', () => {
  for (const [name, value, allowed] of [
    ['limit', '0', 'a whole number from 1 to 100'],
    ['refresh-seconds', 'often', 'a number of seconds, or 0 for never'],
    ['time-zone', 'Mars/Olympus', 'a time zone such as America/New_York'],
    ['locale', 'no language', 'a language such as de-AT'],
    ['columns', 'donor color', 'any of created_at, donor, fund, status, amount, net'],
    ['tools', 'find', 'any of search, filters, columns, totals, chart, export, print'],
    ['paging', 'endless', 'any of more, pages, infinite'],
    ['server', 'http://[', 'a URL'],
  ] as const) {
    it(`is ignored, with one console warning: ${name}`, async () => {
      const { warn } = console;
      const warnings: string[] = [];
      console.warn = (warning: string) => warnings.push(warning);
      const holder = await fixture(html`<div></div>`);
      const table = make({});
      table.removeAttribute('server');
      table.setAttribute(name, value);
      holder.append(table);
      if (name !== 'server') await waitUntil(() => inside(table, '.rows tr'), 'rows');
      await waitUntil(() => warnings.length > 0, 'a warning');
      table.requestUpdate();
      await table.updateComplete;
      console.warn = warn;
      expect(warnings).to.have.length(1);
      expect(warnings[0])
        .to.include(`<connect-donations> ${name}="`)
        .and.include(`must be ${allowed}`);
    });
  }
});
