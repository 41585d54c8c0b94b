import type { Donation } from '@connect-embed/contract';
import { expect, fixture, html } from '@open-wc/testing';
import '../define.ts';
import type { ConnectDonations } from '../connect-donations.ts';
import { donation, jsonResponse, pageSession, SERVER } from '../test-support/server.ts';
import { server } from '../test-support/set-up.ts';
import {
  DONATIONS,
  queryShadow,
  names,
  listResponse,
  openTable,
  rows,
  some,
  text,
  viewer,
} from '../test-support/table.ts';
import { waitUntil } from '../test-support/wait-until.ts';

const cellsOf = (table: Element, column: number) =>
  rows(table).map((row) => row.children[column]!.textContent.trim());

/** Returns what is logged to the console while `act` runs. */
async function listen(
  method: 'warn' | 'error',
  act: (lines: readonly string[]) => Promise<unknown>,
): Promise<string[]> {
  const lines: string[] = [];
  const original = console[method];
  console[method] = (...parts: unknown[]) => void lines.push(parts.join(' '));
  try {
    await act(lines);
  } finally {
    console[method] = original;
  }
  return lines;
}

/**
 * Opens a table as frameworks do: creates the element, sets its properties, appends its children, and
 * then attaches it.
 */
async function openAs(properties: object, ...children: Node[]) {
  const main = await fixture<HTMLElement>(html`<main></main>`);
  const table = document.createElement('connect-donations');
  Object.assign(table, { server: SERVER, viewerToken: viewer, refreshSeconds: 0, ...properties });
  table.append(...children);
  main.append(table);
  await waitUntil(() => table.features && rows(table).length > 0, 'rows are drawn');
  await table.updateComplete;
  return table;
}

describe('custom cells', () => {
  beforeEach(() => server.on(DONATIONS, () => listResponse(some(2, 2))));

  it('may be children of a template element, as React and Vue append them', async () => {
    const template = document.createElement('template');
    template.slot = 'cell-fund';
    template.append(Object.assign(document.createElement('b'), { textContent: '{{id}}!' }));
    const table = await openAs({}, template);
    expect(cellsOf(table, 2)).to.deep.equal(['don_2!', 'don_1!']);
  });

  it('may be renderer functions that return a string or a node', async () => {
    const table = await openAs({
      renderers: {
        fund: ({ id }: { id: string }) => `<i>${id}</i>`,
        amount: () => Object.assign(document.createElement('b'), { textContent: 'much' }),
      },
    });
    expect(cellsOf(table, 2)).to.deep.equal(['<i>don_2</i>', '<i>don_1</i>']);
    expect(cellsOf(table, 4)).to.deep.equal(['much', 'much']);
    table.renderers = { fund: () => 'later' };
    await table.updateComplete;
    expect(cellsOf(table, 2)).to.deep.equal(['later', 'later']);
    expect(cellsOf(table, 4)).to.deep.equal(['$50.00', '$50.00']);
  });

  for (const [description, renderer, report] of [
    ['throws', () => JSON.parse('{') as string, 'JSON'],
    ['returns an object that is no node', () => ({}) as Node, 'must return text or a node'],
  ] as const) {
    it(`show the default content if a renderer ${description}, with one report in the console`, async () => {
      let table!: ConnectDonations;
      const errors = await listen('error', async () => {
        table = await openAs({ renderers: { fund: renderer } });
      });
      expect(cellsOf(table, 2)).to.deep.equal(['Meals', 'Meals']);
      expect(errors).to.have.length(1);
      expect(errors[0]).to.include('<connect-donations> renderers.fund:').and.include(report);
    });
  }

  it('are empty if a renderer returns nothing, and show numbers', async () => {
    const table = await openAs({
      renderers: { fund: () => null, amount: ({ amount_cents }: Donation) => amount_cents },
    });
    expect(cellsOf(table, 2)).to.deep.equal(['', '']);
    expect(cellsOf(table, 4)).to.deep.equal(['5000', '5000']);
  });
});

describe('a number property set as a string', () => {
  beforeEach(() =>
    server.on(DONATIONS, ({ query }) => listResponse(some(50, Number(query.get('limit'))))),
  );

  it('is accepted and converted to a number', async () => {
    const table = await openAs({ limit: '3', refreshSeconds: ' 0 ' });
    expect(rows(table)).to.have.length(3);
    expect(table.limit).to.equal(3);
    expect(table.refreshSeconds).to.equal(0);
  });

  for (const [property, value, attribute] of [
    ['limit', 'many', 'limit'],
    ['limit', '', 'limit'],
    ['limit', 2.5, 'limit'],
    ['limit', '101', 'limit'],
    ['refreshSeconds', 'often', 'refresh-seconds'],
    ['refreshSeconds', '', 'refresh-seconds'],
    ['refreshSeconds', -2, 'refresh-seconds'],
  ] as const) {
    it(`is ignored if it is invalid, with a console warning: ${property} = "${value}"`, async () => {
      const warnings = await listen('warn', async () => {
        const table = await openAs({ [property]: value });
        expect(rows(table)).to.have.length(25);
        table.remove();
      });
      expect(warnings.join()).to.include(`<connect-donations> ${attribute}="${value}": must be`);
    });
  }
});

describe('a viewer token that arrives late', () => {
  const openSession = '/component-sessions';
  beforeEach(() => {
    server.on(DONATIONS, () => listResponse(some(2, 2)));
    server.on(`/other${openSession}`, ({ body }) =>
      jsonResponse(pageSession(body['components']), 201),
    );
  });

  /** A later table of another server has its rows. Every table opens a session before anything else. */
  const expectNoRequests = async () => {
    (await openTable({ server: `${SERVER}/other` })).remove();
    expect(server.requestsTo(openSession)).to.deep.equal([]);
  };

  it('delays all requests of a table with an empty viewer-token', async () => {
    const table = await fixture<ConnectDonations>(
      html`<connect-donations server=${SERVER} viewer-token="" refresh-seconds="0">
      </connect-donations>`,
    );
    await expectNoRequests();
    expect(queryShadow(table, '.skeleton')).to.not.equal(null);
    await table.refresh();
    await expectNoRequests();
    table.viewerToken = viewer;
    await waitUntil(() => names(table)[0] === 'Donor 2', 'rows');
    const [session, ...others] = server.requestsTo(openSession);
    expect(session!.headers.get('authorization')).to.equal(`Bearer ${viewer}`);
    expect(others).to.deep.equal([]);
  });

  it('delays all requests if a framework has set it to undefined', async () => {
    const table = document.createElement('connect-donations');
    Object.assign(table, { server: SERVER, viewerToken: undefined, refreshSeconds: 0 });
    (await fixture<HTMLElement>(html`<main></main>`)).append(table);
    await expectNoRequests();
    table.viewerToken = viewer;
    await waitUntil(() => names(table)[0] === 'Donor 2', 'rows');
  });

  it('delays all requests of a provider’s tables', async () => {
    const provider = await fixture<HTMLElementTagNameMap['connect-provider']>(
      html`<connect-provider server=${SERVER} viewer-token="">
        <connect-donations refresh-seconds="0"></connect-donations>
      </connect-provider>`,
    );
    const table = provider.querySelector('connect-donations')!;
    await expectNoRequests();
    provider.viewerToken = viewer;
    await waitUntil(() => names(table)[0] === 'Donor 2', 'rows');
    provider.viewerToken = '';
    await waitUntil(() => queryShadow(table, '.skeleton'), 'nothing of the previous viewer stays');
  });

  it('delays nothing if no viewer-token is set: public data is loaded', async () => {
    const table = await fixture<ConnectDonations>(
      html`<connect-donations server=${`${SERVER}/${viewer}`} refresh-seconds="0">
      </connect-donations>`,
    );
    await waitUntil(() => server.requests.length > 0);
    expect(server.requests[0]!.headers.has('authorization')).to.equal(false);
    table.remove();
  });
});

describe('an unreachable server is explained in the console', () => {
  const script = '/connect.js';
  const fail = async () => {
    const table = document.createElement('connect-donations');
    Object.assign(table, { server: SERVER, viewerToken: viewer, refreshSeconds: 0 });
    (await fixture<HTMLElement>(html`<main></main>`)).append(table);
    await waitUntil(() => text(table).includes('could not be loaded'), 'it fails');
  };
  const expectExplanation = (explanation: string) =>
    listen('error', async (lines) => {
      await fail();
      await waitUntil(() => lines.join().includes(explanation), explanation);
    });

  beforeEach(() => server.on('/component-sessions', () => undefined));

  it('if it does not allow the page’s origin', async () => {
    server.on(script, () => new Response(null, { status: 200 }));
    await expectExplanation(`${SERVER} does not allow this origin: add "${origin}"`);
  });

  it('if the URL is no Connect server', async () => {
    server.on(script, () => new Response(null, { status: 404 }));
    await expectExplanation(`${SERVER} is not a Connect server`);
  });

  it('if it responds without CORS headers', async () => {
    // The first probe fails like a CORS error; the second probe (no-cors) only detects that the server
    // responds.
    server.on(script, (_, times) => (times === 1 ? undefined : new Response(null)));
    await expectExplanation('is not a Connect server');
  });

  it('if it cannot be reached', async () => {
    server.on(script, () => undefined);
    await expectExplanation(`${SERVER} cannot be reached`);
  });

  it('if the page has no origin', async () => {
    server.on(script, () => new Response(null, { status: 200 }));
    const original = Object.getOwnPropertyDescriptor(globalThis, 'origin')!;
    Object.defineProperty(globalThis, 'origin', { value: 'null', configurable: true });
    try {
      await expectExplanation('opened as a file or in a sandboxed frame');
    } finally {
      Object.defineProperty(globalThis, 'origin', original);
    }
  });

  it('unless it returns an error response', async () => {
    server.on(script, () => new Response(null, { status: 200 }));
    server.on('/component-sessions', () => new Response('{}', { status: 500 }));
    server.on(DONATIONS, () => listResponse([donation(1)]));
    await listen('error', async (lines) => {
      await fail();
      // A later failure without a response is explained, and only that one.
      server.on('/component-sessions', () => undefined);
      await fail();
      await waitUntil(() => lines.join().includes('does not allow'), 'an explanation');
    });
    expect(server.requestsTo(script)).to.have.length(1);
  });
});
