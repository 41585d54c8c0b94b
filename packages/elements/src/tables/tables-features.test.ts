import { expect, oneEvent } from '@open-wc/testing';
import { sendKeys, sendMouse } from '@web/test-runner-commands';
import '../define.ts';
import type { ConnectColumnsChangeEvent, ConnectRowClickEvent } from '../row-events.ts';
import { donation, jsonResponse, errorResponse } from '../test-support/server.ts';
import { server } from '../test-support/set-up.ts';
import {
  DONATIONS,
  queryShadow,
  names,
  openWholeTable,
  listResponse,
  openPanel,
  rows,
  some,
  text,
} from '../test-support/table.ts';
import { untilQuiet } from '../test-support/until-quiet.ts';
import { waitUntil } from '../test-support/wait-until.ts';

const heads = (element: Element) =>
  [...element.shadowRoot!.querySelectorAll('thead th')].map((head) => head.textContent.trim());

const labels = (element: Element) =>
  [...element.shadowRoot!.querySelectorAll('.panel label')].map((label) =>
    label.firstChild!.nextSibling!.textContent!.trim(),
  );

function change(field: Element, value: string) {
  (field as HTMLInputElement | HTMLSelectElement).value = value;
  field.dispatchEvent(new Event('change'));
}

const PAYOUT = {
  ...{ id: 'po_1', object: 'payout', status: 'paid', amount_cents: 100, currency: 'usd' },
  ...{ arrival_date: '2026-03-02T00:00:00.000Z', created: '2026-03-01T00:00:00.000Z' },
};
const DONOR = { id: 'dnr_1', object: 'donor', created_at: '2026-03-01T00:00:00.000Z' };

describe('columns', () => {
  it('are selected and ordered by the columns attribute', async () => {
    server.on(DONATIONS, () => listResponse(some(1, 1, { net_amount_cents: 4321 })));
    const element = await openWholeTable({ columns: 'net donor' });
    expect(heads(element)).to.deep.equal(['Net', 'Donor']);
    expect(text(element)).to.include('$43.21');
  });

  it('with unknown names are ignored, with one console warning', async () => {
    const { warn } = console;
    const warnings: string[] = [];
    console.warn = (warning: string) => warnings.push(warning);
    server.on(DONATIONS, () => listResponse(some(1, 1)));
    const element = await openWholeTable({ columns: 'donor colour' });
    element.requestUpdate();
    await element.updateComplete;
    console.warn = warn;
    expect(heads(element)).to.deep.equal(['Donor']);
    expect(warnings).to.have.length(1);
    expect(warnings[0]).to.include('created_at, donor, fund, status, amount, net');
  });

  it('may be custom HTML templates, in which donor input is text', async () => {
    const maliciousName = '<img src=x onerror=alert(1)>';
    server.on(DONATIONS, () =>
      listResponse([donation(1, { donor_name: maliciousName, fund_id: 'javascript:1' })]),
    );
    const element = await openWholeTable(
      {},
      `<template slot="cell-donor"><a href="/donor/{{id}}">{{donor_name}}</a></template>
       <template slot="cell-fund"><a href="{{fund_id}}">x</a></template>`,
    );
    const [link, other] = element.shadowRoot!.querySelectorAll('.rows a');
    expect(link).to.have.text(maliciousName);
    expect(link!.getAttribute('href')).to.equal('/donor/don_1');
    expect(other!.hasAttribute('href')).to.equal(false);
    expect(queryShadow(element, '.rows img')).to.equal(null);
  });
});

describe('tools', () => {
  it('apply filters at the API, dispatch connect-filter-change, and can be cleared', async () => {
    server.on(DONATIONS, ({ query }) => listResponse(query.has('recurring') ? [] : some(2, 2)));
    const element = await openWholeTable({ tools: 'filters' });
    await openPanel(element);
    const selects = element.shadowRoot!.querySelectorAll('select');
    selects[1]!.value = 'true';
    setTimeout(() => selects[1]!.dispatchEvent(new Event('change')));
    const event = await oneEvent(element, 'connect-filter-change');
    expect((event as unknown as { filters: object }).filters).to.deep.equal({ recurring: 'true' });
    await waitUntil(() => rows(element).length === 0);
    expect(queryShadow(element, '.tools button')!.innerText).to.equal('Filters (1)');
    expect(server.requestsTo(DONATIONS)[1]!.query.get('recurring')).to.equal('true');
    const buttons = [...element.shadowRoot!.querySelectorAll<HTMLElement>('.tools button')];
    buttons.find((button) => button.textContent.includes('Clear'))!.click();
    await waitUntil(() => rows(element).length === 2);
  });

  it('filter exactly the donations whose badge has the chosen status', async () => {
    const all = (['none', 'partial', 'full'] as const).flatMap((refund_status, n) =>
      (['none', 'open', 'won', 'lost'] as const).map((dispute_status, m) =>
        donation(4 * n + m, { refund_status, dispute_status }),
      ),
    );
    server.on(DONATIONS, ({ query }) =>
      listResponse(
        all.filter((row) =>
          (['refund_status', 'dispute_status'] as const).every(
            (name) => !query.has(name) || query.get(name) === row[name],
          ),
        ),
      ),
    );
    const element = await openWholeTable({ tools: 'filters' });
    await openPanel(element);
    const badges = () =>
      rows(element).map((row) => row.querySelector('.badge')!.textContent.trim());
    const before = badges();
    const select = [...element.shadowRoot!.querySelectorAll('select')].at(-1)!;
    for (const { value, label } of [...select.options].slice(1)) {
      change(select, value);
      const expected = before.filter((badge) => badge === label);
      expect(expected).to.not.be.empty;
      await waitUntil(() => badges().join() === expected.join(), label);
      expect(select.value).to.equal(value);
      expect(queryShadow(element, '.tools button')!.innerText).to.equal('Filters (1)');
    }
  });

  it('show the refund status that the page has set', async () => {
    server.on(DONATIONS, () => listResponse(some(1, 1)));
    const element = await openWholeTable({ tools: 'filters' });
    element.pages.query = { refund_status: 'partial' };
    await openPanel(element);
    const status = [...element.shadowRoot!.querySelectorAll('select')].at(-1)!;
    expect(status.selectedOptions[0]!.label).to.equal('Partly refunded');
  });

  it('filter whole days in the organization’s time zone', async () => {
    server.on(DONATIONS, () => listResponse(some(1, 1)));
    const element = await openWholeTable({ tools: 'filters', 'time-zone': 'America/New_York' });
    await openPanel(element);
    const [, to] = element.shadowRoot!.querySelectorAll<HTMLInputElement>('input[type=date]');
    to!.value = '2026-11-01'; // The day on which daylight saving time ends.
    to!.dispatchEvent(new Event('change'));
    await waitUntil(() => server.requestsTo(DONATIONS).length === 2);
    expect(server.requestsTo(DONATIONS)[1]!.query.get('created_to')).to.equal(
      '2026-11-02T05:00:00.000Z',
    );
    await waitUntil(() => !queryShadow(element, '.skeleton'));
    expect(element.shadowRoot!.querySelectorAll('input')[1]!.value).to.equal('2026-11-01');
  });

  it('filter payouts by status and by day of arrival, which is a day of UTC', async () => {
    server.on('/api/v1/payouts', () => listResponse([PAYOUT]));
    const attributes = { tools: 'filters', 'time-zone': 'America/New_York' };
    const element = await openWholeTable(attributes, '', 'connect-payouts');
    await openPanel(element);
    const [from, to] = element.shadowRoot!.querySelectorAll<HTMLInputElement>('input[type=date]');
    change(from!, '2026-03-01');
    change(to!, '2026-03-31');
    change(element.shadowRoot!.querySelector('select')!, 'paid');
    await waitUntil(() => server.requestsTo('/api/v1/payouts').at(-1)!.query.has('status'));
    expect(Object.fromEntries(server.requestsTo('/api/v1/payouts').at(-1)!.query)).to.include({
      arrival_from: '2026-03-01T00:00:00.000Z',
      arrival_to: '2026-04-01T00:00:00.000Z',
      status: 'paid',
    });
  });

  it('filter donors by their donations only if the session may read these', async () => {
    server.on('/api/v1/donors', () => listResponse([DONOR]));
    const element = await openWholeTable({ tools: 'filters' }, '', 'connect-donors');
    await openPanel(element);
    expect(labels(element)).to.deep.equal(['Since · From', 'Since · To']);
    server.on(DONATIONS, () => listResponse([]));
    const donations = document.createElement('connect-donations');
    for (const name of ['server', 'viewer-token'])
      donations.setAttribute(name, element.getAttribute(name)!);
    element.after(donations);
    await waitUntil(() => labels(element).includes('Donations · Type'));
    change(element.shadowRoot!.querySelector('select')!, 'true');
    await waitUntil(() => server.requestsTo('/api/v1/donors').at(-1)!.query.has('recurring'));
  });

  it('open filters and columns below the toolbar, one at a time', async () => {
    server.on(DONATIONS, () => listResponse(some(1, 1)));
    const element = await openWholeTable({ tools: 'filters columns' });
    const [filters, columns] = element.shadowRoot!.querySelectorAll<HTMLElement>('.tools button');
    const press = async (button: HTMLElement) => {
      button.click();
      await element.updateComplete;
      return [filters!, columns!].map(({ ariaExpanded }) => ariaExpanded);
    };
    expect(queryShadow(element, '.panel')).to.be.null;
    expect(await press(filters!)).to.deep.equal(['true', 'false']);
    expect(queryShadow(element, '.panel')!.querySelectorAll('select')).to.have.length(3);
    expect(await press(columns!)).to.deep.equal(['false', 'true']);
    expect(queryShadow(element, '.panel')!.querySelectorAll('[type=checkbox]')).to.not.be.empty;
    expect(await press(columns!)).to.deep.equal(['false', 'false']);
    expect(queryShadow(element, '.panel')).to.be.null;
  });

  it('let the viewer choose columns, and the page store the choice', async () => {
    server.on(DONATIONS, () => listResponse(some(1, 1)));
    const element = await openWholeTable({ tools: 'columns', columns: 'donor amount' });
    await openPanel(element);
    const boxes = () =>
      [...element.shadowRoot!.querySelectorAll<HTMLInputElement>('.columns input')].filter(
        ({ checked }) => checked,
      );
    const toggle = async (label: string) => {
      const box = [...element.shadowRoot!.querySelectorAll('.columns label')].find((each) =>
        each.textContent.includes(label),
      );
      setTimeout(() => box!.querySelector('input')!.click());
      return (await oneEvent(element, 'connect-columns-change')) as ConnectColumnsChangeEvent;
    };
    expect((await toggle('Fund')).choice.columns).to.deep.equal(['donor', 'amount', 'fund']);
    const { choice } = await toggle('Amount');
    await element.updateComplete;
    expect(heads(element)).to.deep.equal(['Donor', 'Fund']);
    await toggle('Donor');
    await element.updateComplete;
    expect(boxes().map(({ disabled }) => disabled)).to.deep.equal([true]);

    element.columnChoice = JSON.parse(JSON.stringify(choice)) as typeof choice;
    await element.updateComplete;
    expect(heads(element)).to.deep.equal(['Donor', 'Fund']);
    queryShadow(element, '.columns button')!.click();
    await element.updateComplete;
    expect(heads(element)).to.deep.equal(['Donor', 'Amount']);
  });

  for (const direction of ['ltr', 'rtl']) {
    it(`resize columns with the pointer and with arrow keys (${direction})`, async () => {
      server.on(DONATIONS, () => listResponse(some(1, 1)));
      const locale = direction === 'rtl' ? 'ar' : 'en';
      const element = await openWholeTable({
        tools: 'columns',
        columns: 'donor fund amount',
        locale,
      });
      const sign = direction === 'rtl' ? -1 : 1;
      const head = queryShadow(element, 'thead th')!;
      const width = head.getBoundingClientRect().width;
      const handle = head.querySelector<HTMLElement>('.handle')!;
      handle.focus();
      await sendKeys({ press: sign > 0 ? 'ArrowLeft' : 'ArrowRight' });
      await element.updateComplete;
      expect(head.getBoundingClientRect().width).to.equal(Math.round(width - 16));
      const { x, y } = handle.getBoundingClientRect();
      await sendMouse({ type: 'move', position: [Math.round(x + 6), Math.round(y + 6)] });
      await sendMouse({ type: 'down' });
      await sendMouse({
        type: 'move',
        position: [Math.round(x + 6 - sign * 50), Math.round(y + 6)],
      });
      await sendMouse({ type: 'up' });
      await sendMouse({ type: 'move', position: [10, 10] });
      await element.updateComplete;
      expect(element.columnChoice).to.deep.equal({
        widths: { donor: Math.round(width - 16) - 50 },
      });
      expect(head.getBoundingClientRect().width).to.equal(Math.round(width - 16) - 50);
    });
  }

  it('show totals', async () => {
    server.on(DONATIONS, () => listResponse(some(1, 1)));
    server.on(`${DONATIONS}/summary`, () =>
      jsonResponse({
        object: 'donation_summary',
        data: [
          { currency: 'usd', count: 1234, gross_cents: 500_00, net_cents: null, refunded_cents: 0 },
        ],
      }),
    );
    const element = await openWholeTable({ tools: 'totals' });
    await waitUntil(() => queryShadow(element, '.totals dl'));
    // Without white space, and without a trace of the sums that are not known.
    const text = queryShadow(element, '.totals dl')!.textContent.replace(/\s+/g, '');
    expect(text).to.equal('Donations1,234Gross$500.00Refunded$0.00');
  });

  it('show totals of the currency with the most donations, and other currencies over the rows', async () => {
    server.on(DONATIONS, () => listResponse(some(1, 1)));
    const sums = { gross_cents: 500_00, net_cents: 400_00, refunded_cents: 0 };
    const data = [
      { ...sums, currency: 'eur', count: 2 },
      { ...sums, currency: 'usd', count: 1234 },
      { ...sums, currency: 'jpy', count: 3 },
    ];
    server.on(`${DONATIONS}/summary`, () => jsonResponse({ object: 'donation_summary', data }));
    const element = await openWholeTable({ tools: 'totals' });
    await waitUntil(() => queryShadow(element, '.totals summary'));
    const others = queryShadow(element, '.totals summary')!;
    expect(others.innerText).to.equal('+ JPY, EUR');
    expect(queryShadow(element, '.totals > .totals-list')!.innerText).to.include(
      'Donations\n1,234',
    );
    const top = queryShadow(element, 'table')!.getBoundingClientRect().top;
    others.click();
    const opened = queryShadow(element, '.totals details > div')!;
    expect(opened.innerText).to.include('Donations\n3').and.include('€500.00');
    expect(queryShadow(element, 'table')!.getBoundingClientRect().top).to.equal(top);
  });
});

describe('a rate-limited request', () => {
  it('is retried automatically after Retry-After', async () => {
    let requestCount = 0;
    server.on(DONATIONS, () => {
      requestCount += 1;
      return requestCount < 3
        ? errorResponse('rate_limited', 'Too many.', 1)
        : listResponse(some(2, 2));
    });
    const element = await openWholeTable();
    await waitUntil(() => rows(element).length === 2, 'rows');
    expect(requestCount).to.equal(3);
  });

  it('is left to the retry button if Retry-After is long', async () => {
    server.on(DONATIONS, () => errorResponse('rate_limited', 'Too many.', 3600));
    const element = await openWholeTable();
    await waitUntil(() => text(element).includes('Too many requests'), 'the error is shown');
    server.on(DONATIONS, () => listResponse(some(2, 2)));
    queryShadow(element, '.message button')!.click();
    await waitUntil(() => rows(element).length === 2, 'rows');
  });
});

describe('a row', () => {
  it('opens its details by keyboard and loads them again', async () => {
    server.on(DONATIONS, () => listResponse(some(1, 1)));
    server.on(`${DONATIONS}/don_1`, () => jsonResponse(donation(1, { dispute_status: 'open' })));
    const element = await openWholeTable();
    queryShadow(element, '.open')!.focus();
    await sendKeys({ press: 'Enter' });
    await waitUntil(() => text(element).includes('Disputed'), 'details');
    const dialog = queryShadow(element, 'dialog') as HTMLDialogElement;
    expect(dialog.matches(':modal')).to.equal(true);
    await sendKeys({ press: 'Escape' });
    await waitUntil(() => !queryShadow(element, 'dialog'));
    expect(element.shadowRoot!.activeElement).to.equal(queryShadow(element, '.open'));
  });

  it('has its details closed by the close button, or by a click on the backdrop', async () => {
    server.on(DONATIONS, () => listResponse(some(1, 1)));
    server.on(`${DONATIONS}/don_1`, () => jsonResponse(donation(1)));
    const element = await openWholeTable();
    const presses = {
      'the close button': async () => queryShadow(element, 'dialog form button')!.click(),
      'the backdrop': () => sendMouse({ type: 'click', position: [10, 300] }),
    };
    for (const [pressed, press] of Object.entries(presses)) {
      queryShadow(element, '.open')!.click();
      await waitUntil(() => queryShadow(element, 'dialog'), 'details');
      queryShadow(element, 'dialog dl')!.click();
      expect(queryShadow(element, 'dialog'), 'open, whatever in it is pressed').to.exist;
      await press();
      await waitUntil(() => !queryShadow(element, 'dialog'), `closed by ${pressed}`);
    }
  });

  it('receives the focus when its details are closed, also if it was opened by mouse', async () => {
    server.on(DONATIONS, () => listResponse(some(2, 2)));
    server.on(`${DONATIONS}/don_1`, () => jsonResponse(donation(1)));
    const element = await openWholeTable();
    const row = rows(element)[1]!;
    const { x, y } = row.getBoundingClientRect();
    await sendMouse({ type: 'click', position: [Math.round(x + 20), Math.round(y + 10)] });
    await waitUntil(() => queryShadow(element, 'dialog')?.matches('[open]'), 'the details');
    await sendKeys({ press: 'Escape' });
    await waitUntil(() => !queryShadow(element, 'dialog'), 'closed');
    expect(element.shadowRoot!.activeElement).to.equal(row.querySelector('.open'));
  });

  it('opens no details if the page cancels connect-row-click', async () => {
    server.on(DONATIONS, () => listResponse(some(1, 1)));
    const element = await openWholeTable();
    element.addEventListener('connect-row-click', (event) => event.preventDefault());
    setTimeout(() => queryShadow(element, '.rows td')!.click());
    const event = await oneEvent(element, 'connect-row-click');
    const { resourceType, row } = event as unknown as ConnectRowClickEvent;
    expect({ resourceType, id: row.id }).to.deep.equal({ resourceType: 'donation', id: 'don_1' });
    await element.updateComplete;
    expect(queryShadow(element, 'dialog')).to.equal(null);
  });
});

describe('paging', () => {
  it('goes to the next and previous page', async () => {
    server.on(DONATIONS, ({ query }) =>
      query.has('cursor') ? listResponse(some(2, 2)) : listResponse(some(5, 3), 'two'),
    );
    const element = await openWholeTable({ paging: 'pages', limit: '3' });
    const [previous, next] = element.shadowRoot!.querySelectorAll<HTMLElement>('.pager button');
    next!.click();
    await waitUntil(() => names(element)[0] === 'Donor 2', 'second page');
    expect(rows(element)).to.have.length(2);
    expect(next!.getAttribute('aria-disabled')).to.equal('true');
    previous!.click();
    await waitUntil(() => names(element)[0] === 'Donor 5', 'first page');
  });

  it('loads the next page when the end is visible (infinite)', async () => {
    server.on(DONATIONS, ({ query }) =>
      query.has('cursor') ? listResponse(some(2, 2)) : listResponse(some(5, 3), 'two'),
    );
    const element = await openWholeTable({ paging: 'infinite', limit: '3' });
    await waitUntil(() => rows(element).length === 5);
  });

  it('does not load the next page again at once after a failure (infinite)', async () => {
    let failures = 0;
    server.on(DONATIONS, ({ query }) =>
      query.has('cursor') ? void (failures += 1) : listResponse(some(5, 3), 'two'),
    );
    const element = await openWholeTable({ paging: 'infinite', limit: '3' });
    await waitUntil(() => text(element).includes('Not up to date'), 'a failure');
    await untilQuiet();
    expect(failures).to.equal(1);
  });
});

describe('a row', () => {
  beforeEach(() => {
    server.on(DONATIONS, () => listResponse(some(1, 1)));
    server.on(`${DONATIONS}/don_1`, () => jsonResponse(donation(1)));
  });

  it('opens by its button while a text of the page is selected', async () => {
    const element = await openWholeTable();
    getSelection()!.selectAllChildren(element.parentElement!.appendChild(new Text('Selected')));
    queryShadow(element, '.open')!.click();
    await waitUntil(() => queryShadow(element, 'dialog'), 'details');
    getSelection()!.removeAllRanges();
  });

  it('keeps its details open when their padding is pressed', async () => {
    const element = await openWholeTable();
    queryShadow(element, '.open')!.click();
    await waitUntil(() => queryShadow(element, 'dialog'), 'details');
    const dialog = queryShadow(element, 'dialog') as HTMLDialogElement;
    const { left } = dialog.getBoundingClientRect();
    await sendMouse({ type: 'click', position: [Math.round(left + 8), 8] });
    expect(dialog.open).to.equal(true);
    await sendMouse({ type: 'click', position: [Math.round(left - 8), 8] });
    await waitUntil(() => !queryShadow(element, 'dialog'), 'closed by the backdrop');
  });
});

describe('10,000 rows', () => {
  const open10000 = () => {
    server.on(DONATIONS, () => listResponse(some(10_000, 10_000)));
    return openWholeTable();
  };

  it('are rendered only near the viewport, with ARIA row counts', async () => {
    const element = await open10000();
    await waitUntil(() => rows(element).length < 100, 'few nodes');
    expect(queryShadow(element, 'table')!.getAttribute('aria-rowcount')).to.equal('10001');
    expect(rows(element)[0]!.getAttribute('aria-rowindex')).to.equal('2');
    expect(queryShadow(element, 'table')!.offsetHeight).to.be.greaterThan(400_000);
    document.scrollingElement!.scrollTop = 200_000;
    const boxes = () => rows(element).map((row) => row.getBoundingClientRect());
    await waitUntil(() => !names(element).includes('Donor 10000'), 'others');
    await waitUntil(
      () => boxes().some(({ top, bottom }) => bottom > 0 && top < 100),
      'no gap above',
    );
    document.scrollingElement!.scrollTop = 0;
  });

  it('can all be reached by keyboard', async () => {
    const element = await open10000();
    queryShadow(element, '.open')!.focus();
    await sendKeys({ press: 'End' });
    await waitUntil(() => element.shadowRoot!.activeElement?.textContent.trim() === 'Donor 1');
    await sendKeys({ press: 'ArrowUp' });
    await waitUntil(() => element.shadowRoot!.activeElement?.textContent.trim() === 'Donor 2');
    await sendKeys({ press: 'Home' });
    await waitUntil(() => element.shadowRoot!.activeElement?.textContent.trim() === 'Donor 10000');
  });
});
