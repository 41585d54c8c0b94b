import { expect } from '@open-wc/testing';
import type { Donation } from '@connect-embed/contract';
import '../define.ts';
import type { ConnectDonations } from '../connect-donations.ts';
import {
  donation,
  errorResponse,
  jsonResponse,
  pageSession,
  type RecordedRequest,
} from '../test-support/server.ts';
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

/** A fake API with 33 donations that supports `q`, `sort` and pages. */
const ALL = some(33, 33).map((one, index) => ({
  ...one,
  donor_name: index % 3 ? one.donor_name : `Amara ${one.id}`,
  amount_cents: 1000 + ((index * 7) % 33) * 100,
}));

function matching(query: URLSearchParams): Donation[] {
  const q = query.get('q')?.toLowerCase();
  const found = ALL.filter(({ donor_name }) => !q || donor_name!.toLowerCase().includes(q));
  const sort = query.get('sort');
  if (!sort?.endsWith('amount_cents')) return found;
  const sign = sort.startsWith('-') ? -1 : 1;
  return found.sort((one, other) => sign * (one.amount_cents - other.amount_cents));
}

function respond({ query }: RecordedRequest) {
  const limit = Number(query.get('limit'));
  const from = Number(query.get('cursor') ?? 0);
  const found = matching(query);
  const next = from + limit < found.length ? `${from + limit}` : null;
  return listResponse(found.slice(from, from + limit), next);
}

const sums = (count: number) => ({
  currency: 'usd',
  count,
  gross_cents: 0,
  net_cents: 0,
  refunded_cents: 0,
});

beforeEach(() => {
  server.on(DONATIONS, respond);
  server.on(`${DONATIONS}/summary`, ({ query }) =>
    jsonResponse({ object: 'donation_summary', data: [sums(matching(query).length)] }),
  );
});

const requestedQueries = () => server.requestsTo(DONATIONS).map(({ query }) => query);

function type(element: Element, value: string) {
  const field = queryShadow(element, 'input[type=search]') as HTMLInputElement;
  field.value = value;
  field.dispatchEvent(new Event('input'));
}

describe('search', () => {
  it('finds all matches, also in rows that are not loaded, and shows their number', async () => {
    const element = await openWholeTable({ tools: 'search totals', limit: '5' });
    type(element, 'Amara');
    await waitUntil(() => text(element).includes('11 found'), 'the count');
    expect(names(element)).to.have.length(5);
    expect(names(element).every((name) => name.startsWith('Amara'))).to.equal(true);
    await waitUntil(
      () => queryShadow(element, '.totals dd')?.textContent === '11',
      'sums of what was found',
    );
    queryShadow(element, '.more button')!.click();
    await waitUntil(() => names(element).length === 10);
    expect(requestedQueries().at(-1)!.get('q')).to.equal('Amara');
  });

  it('sends one request after a pause, not one per keystroke', async () => {
    const element = await openWholeTable({ tools: 'search', limit: '5' });
    for (const typed of ['A', 'Am', 'Ama', 'Amar', ' Amara ']) {
      type(element, typed);
      await untilQuiet(); // A person types in this rhythm, or faster.
    }
    await waitUntil(() => text(element).includes('11 found'));
    expect(requestedQueries().map((query) => query.get('q'))).to.deep.equal([null, 'Amara']);
  });

  it('shows that nothing matches, and can be cleared', async () => {
    const element = await openWholeTable({ tools: 'search filters', limit: '5' });
    type(element, 'nobody');
    await waitUntil(() => text(element).includes('No matches'));
    const buttons = [...element.shadowRoot!.querySelectorAll<HTMLElement>('.tools button')];
    buttons.find((button) => button.textContent.includes('Clear'))!.click();
    await waitUntil(() => names(element).length === 5);
    expect((queryShadow(element, 'input[type=search]') as HTMLInputElement).value).to.equal('');
  });
});

describe('sorting', () => {
  const clickHeader = async (element: ConnectDonations, column: string) => {
    const times = requestedQueries().length;
    queryShadow(element, `.sort[value=${column}]`)!.click();
    await waitUntil(() => requestedQueries().length > times, 'the rows are requested');
    await waitUntil(() => queryShadow(element, '.frame[aria-busy=false]'), 'they are drawn');
    await element.updateComplete;
  };

  it('is done by the API over all matches: ascending, descending, default order', async () => {
    const element = await openWholeTable({ limit: '5' });
    const head = () => queryShadow(element, '.sort[value=amount]')!.parentElement!;
    const first = () => rows(element)[0]!.lastElementChild!.textContent;
    await clickHeader(element, 'amount');
    await waitUntil(() => first() === '$10.00', 'the least of all');
    expect(head().ariaSort).to.equal('ascending');
    expect(text(element)).to.include('Sorted by amount').and.not.include('loaded');
    await clickHeader(element, 'amount');
    await waitUntil(() => first() === '$42.00', 'the most of all');
    expect(head().ariaSort).to.equal('descending');
    queryShadow(element, '.more button')!.click();
    await waitUntil(() => names(element).length === 10);
    expect(requestedQueries().at(-1)!.get('sort')).to.equal('-amount_cents');
    await clickHeader(element, 'amount');
    expect(requestedQueries().at(-1)!.has('sort')).to.equal(false);
    expect(head().ariaSort).to.equal(null);
  });

  it('by a column that the API cannot sort by is available once all rows are loaded', async () => {
    const element = await openWholeTable({ limit: '20' });
    const status = () => queryShadow(element, '.sort[value=status]');
    expect(status()).to.equal(null);
    queryShadow(element, '.more button')!.click();
    await waitUntil(status);
    status()!.click();
    await waitUntil(() => status()!.parentElement!.ariaSort === 'ascending');
    expect(requestedQueries()).to.have.length(2);
  });

  it('by a masked name is not offered while rows are missing, and done here after that', async () => {
    server.on('/component-sessions', ({ body }) =>
      jsonResponse({ ...pageSession(body['components']), masks: ['names'] }, 201),
    );
    const element = await openWholeTable({ limit: '20' });
    const donor = () => queryShadow(element, '.sort[value=donor]');
    expect(donor()).to.equal(null);
    queryShadow(element, '.more button')!.click();
    await waitUntil(donor);
    donor()!.click();
    await waitUntil(() => donor()!.parentElement!.ariaSort === 'ascending');
    expect(requestedQueries()).to.have.length(2);
  });

  it('keeps the rows and the order that are shown if the API refuses another', async () => {
    const element = await openWholeTable({ limit: '5' });
    await clickHeader(element, 'amount');
    const shown = names(element);
    server.on(DONATIONS, (request) =>
      request.query.get('sort') === 'donor_name'
        ? errorResponse('invalid_request')
        : respond(request),
    );
    await clickHeader(element, 'donor');
    const head = (column: string) =>
      queryShadow(element, `.sort[value=${column}]`)!.parentElement!.ariaSort;
    await waitUntil(() => head('amount') === 'ascending', 'the order of before');
    expect(head('donor')).to.equal(null);
    expect(names(element)).to.deep.equal(shown);
    queryShadow(element, '.more button')!.click();
    await waitUntil(() => names(element).length === 10);
    expect(requestedQueries().at(-1)!.get('sort')).to.equal('amount_cents');
  });
});

describe('the fund filter', () => {
  it('lists all funds that have donations, not only those of loaded rows', async () => {
    const funds = Array.from({ length: 120 }, (_, index) => ({
      id: `fund_${index}`,
      name: `Fund ${index}`,
    }));
    server.on(`${DONATIONS}/funds`, ({ query }) =>
      query.has('cursor')
        ? listResponse(funds.slice(100))
        : listResponse(funds.slice(0, 100), 'two'),
    );
    const element = await openWholeTable({ tools: 'filters', limit: '5' });
    const select = (await openPanel(element)).querySelector('select')!;
    await waitUntil(() => select.options.length === 121, 'all funds');
    select.value = 'fund_119';
    select.dispatchEvent(new Event('change'));
    await waitUntil(() => requestedQueries().at(-1)!.get('fund_id') === 'fund_119');
  });
});

describe('a list of funds that cannot be loaded', () => {
  it('is not requested again at each render', async () => {
    let reads = 0;
    server.on(`${DONATIONS}/funds`, () => ((reads += 1), jsonResponse({ error: {} }, 404)));
    const element = await openWholeTable({ tools: 'filters', limit: '5' });
    await openPanel(element);
    await waitUntil(() => reads === 1, 'the funds are requested');
    for (let drawing = 0; drawing < 3; drawing += 1) {
      element.requestUpdate();
      await untilQuiet();
    }
    expect(reads).to.equal(1);
  });
});

describe('printing', () => {
  let printed: number | undefined;
  const originalPrint = window.print;
  afterEach(() => (window.print = originalPrint));

  it('loads all matches first, with progress', async () => {
    const element = await openWholeTable({ tools: 'print', limit: '5' });
    window.print = () => (printed = rows(element).length);
    queryShadow(element, '.tools button')!.click();
    await element.updateComplete;
    await waitUntil(() => printed !== undefined, 'the print dialog');
    expect(printed).to.equal(33);
    expect(queryShadow(element, '.print-only')).to.equal(null);
  });

  it('prints all pages, not only the current one', async () => {
    const element = await openWholeTable({ tools: 'print', limit: '5', paging: 'pages' });
    expect(rows(element)).to.have.length(5);
    window.print = () => (printed = rows(element).length);
    printed = undefined;
    dispatchEvent(new Event('beforeprint'));
    queryShadow(element, '.tools button')!.click();
    await waitUntil(() => printed !== undefined, 'the print dialog');
    expect(printed).to.equal(33);
    dispatchEvent(new Event('afterprint'));
    await waitUntil(() => rows(element).length === 5, 'one page again');
  });

  it('by the browser’s own command prints the loaded rows, with a note that more match', async () => {
    const element = await openWholeTable({ limit: '5' });
    expect(queryShadow(element, '.print-only')!.textContent).to.equal(
      'Only the first 5 rows are shown.',
    );
    expect(getComputedStyle(queryShadow(element, '.print-only')!).display).to.equal('none');
  });

  it('renders the rows outside the viewport', async () => {
    server.on(DONATIONS, () => listResponse(some(500, 500)));
    const element = await openWholeTable();
    expect(rows(element).length).to.be.lessThan(100);
    dispatchEvent(new Event('beforeprint'));
    expect(rows(element)).to.have.length(500);
    dispatchEvent(new Event('afterprint'));
    await waitUntil(() => rows(element).length < 100);
  });
});

describe('polling a sorted table', () => {
  it('keeps the sort order, and shows a changed first page', async () => {
    const element = await openWholeTable({ limit: '5', 'refresh-seconds': '0.2' });
    queryShadow(element, '.sort[value=amount]')!.click();
    await waitUntil(() => requestedQueries().at(-1)!.get('sort') === 'amount_cents');
    const least = donation(99, { amount_cents: 500, donor_name: 'Least' });
    const most = donation(98, { amount_cents: 9_000_00, donor_name: 'Most' });
    ALL.push(least, most);
    try {
      await waitUntil(() => names(element)[0] === 'Least', 'the least comes first');
      expect(names(element)).not.to.include('Most');
    } finally {
      ALL.splice(-2);
      element.remove();
    }
  });
});

describe('the CSV export', () => {
  const EXPORT = `${DONATIONS}/export.csv`;
  const csvResponse = (name: string) =>
    new Response('\ufeffDonation ID\r\ndon_1\r\n', {
      headers: {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="_.csv"; filename*=UTF-8''${encodeURIComponent(name)}`,
      },
    });
  const { createObjectURL } = URL;
  const { click } = HTMLAnchorElement.prototype;
  let saved: { file?: Blob; name?: string };

  beforeEach(() => {
    saved = {};
    URL.createObjectURL = (blob) => ((saved.file = blob as Blob), 'blob:none');
    HTMLAnchorElement.prototype.click = function () {
      saved.name = this.download;
    };
  });
  afterEach(() => {
    URL.createObjectURL = createObjectURL;
    HTMLAnchorElement.prototype.click = click;
  });

  const exportButton = (element: Element) => queryShadow(element, '.tools button')!;

  it('saves the API’s file, with the filters, search, order and time zone of the table', async () => {
    server.on(EXPORT, () => csvResponse('donations-élan.csv'));
    const element = await openWholeTable({ tools: 'export', 'time-zone': 'America/New_York' });
    element.pages.query = { fund_id: 'fund_meals', q: 'ada' };
    element.pages.sort = '-amount_cents';
    exportButton(element).click();
    await waitUntil(() => saved.name);
    expect(saved.name).to.equal('donations-élan.csv');
    const bytes = new Uint8Array(await saved.file!.arrayBuffer());
    expect([...bytes.slice(0, 3)]).to.deep.equal([0xef, 0xbb, 0xbf]);
    expect(new TextDecoder().decode(bytes)).to.equal('Donation ID\r\ndon_1\r\n');
    const [{ query, headers }] = server.requestsTo(EXPORT) as [RecordedRequest];
    expect(Object.fromEntries(query)).to.deep.equal({
      fund_id: 'fund_meals',
      q: 'ada',
      sort: '-amount_cents',
      time_zone: 'America/New_York',
    });
    expect(headers.get('authorization')).to.equal('Bearer component_1');
  });

  it('renews an expired session, and waits as the API requests', async () => {
    const refusals = [errorResponse('unauthorized'), errorResponse('rate_limited', 'wait', 1)];
    server.on(EXPORT, () => refusals.shift() ?? csvResponse('donations.csv'));
    const element = await openWholeTable({ tools: 'export' });
    exportButton(element).click();
    await waitUntil(() => saved.name);
    expect(server.requestsTo(EXPORT)).to.have.length(3);
    expect(server.requestsTo('/component-sessions')).to.have.length(2);
  });

  it('shows its progress, can be canceled, and started again', async () => {
    server.on(EXPORT, ({ signal }, times) =>
      times > 1
        ? csvResponse('donations.csv')
        : new Promise((_, reject) =>
            signal!.addEventListener('abort', () => reject(signal!.reason as Error)),
          ),
    );
    const element = await openWholeTable({ tools: 'export' });
    exportButton(element).click();
    await waitUntil(() => queryShadow(element, 'progress'));
    expect(queryShadow(element, 'progress')!.ariaLabel).to.equal('Export CSV');
    expect(exportButton(element).textContent.trim()).to.equal('Cancel');
    exportButton(element).click();
    await waitUntil(() => !queryShadow(element, 'progress'));
    expect(queryShadow(element, '[role=alert]')).to.equal(null);
    expect(saved).to.deep.equal({});
    exportButton(element).click();
    await waitUntil(() => saved.name);
  });

  for (const [description, respond] of [
    ['an API without exports', () => errorResponse('not_found')],
    ['a file that is interrupted', () => interruptedFile()],
  ] as const) {
    it(`reports ${description}, and saves nothing`, async () => {
      server.on(EXPORT, respond);
      const element = await openWholeTable({ tools: 'export' });
      exportButton(element).click();
      await waitUntil(() => queryShadow(element, '[role=alert]'));
      expect(queryShadow(element, '[role=alert]')!.textContent).to.equal(
        'The export was interrupted. Try again.',
      );
      expect(saved).to.deep.equal({});
    });
  }
});

function interruptedFile() {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('Donation ID\r\ndon_1'));
      controller.error(new TypeError('network error'));
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/csv' } });
}
