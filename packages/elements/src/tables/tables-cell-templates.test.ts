import { expect } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import '../define.ts';
import { donation, jsonResponse } from '../test-support/server.ts';
import { server } from '../test-support/set-up.ts';
import { DONATIONS, queryShadow, openWholeTable, listResponse } from '../test-support/table.ts';
import { waitUntil } from '../test-support/wait-until.ts';

const nameless = [donation(2, { donor_name: null, fund_name: null }), donation(1)];
beforeEach(() => {
  server.on(DONATIONS, () => listResponse(nameless));
  server.on(`${DONATIONS}/don_1`, () => jsonResponse(donation(1)));
});

const buttons = (element: Element) =>
  [...element.shadowRoot!.querySelectorAll<HTMLElement>('.rows .open')].map(
    (button) => button.ariaLabel ?? button.textContent.trim(),
  );

describe('a custom cell that names its row', () => {
  for (const [description, cell, names] of [
    ['text', '<b>{{donor_name}}</b>', ['Anonymous', 'Donor 1']],
    ['an image with alternative text', '<img src="data:," alt="Gift {{id}}">', ['', '']],
    ['a link', '<a href="#{{id}}">{{donor_name}}</a>', ['Details: Anonymous', 'Details: Donor 1']],
  ] as const) {
    it(`can be ${description}, and the row’s button has an accessible name`, async () => {
      const element = await openWholeTable({}, `<template slot="cell-donor">${cell}</template>`);
      expect(buttons(element)).to.deep.equal(names);
    });
  }

  it('keeps its own link: a separate button opens the details', async () => {
    const element = await openWholeTable(
      {},
      '<template slot="cell-donor"><a href="#{{id}}">{{donor_name}}</a></template>',
    );
    const [, link] = element.shadowRoot!.querySelectorAll<HTMLElement>('.rows a');
    expect(link!.closest('button')).to.equal(null);
    link!.focus();
    await sendKeys({ press: 'Tab' });
    const button = element.shadowRoot!.activeElement as HTMLElement;
    expect(button).to.have.text('Details');
    expect(button.offsetWidth, 'is seen').to.be.greaterThan(40);
    button.click();
    await waitUntil(
      () => queryShadow(element, 'dialog')?.textContent.includes('Donor 1'),
      'details',
    );
  });

  it('fills no script and no style sheet of the page with the text of a donor', async () => {
    server.on(DONATIONS, () => listResponse([donation(1, { donor_name: 'window.ran = true' })]));
    const script = '<scr' + 'ipt>{{donor_name}}</scr' + 'ipt>';
    const element = await openWholeTable(
      {},
      `<template slot="cell-fund">${script}<style>b { --name: '{{donor_name}}'; }</style><b>{{donor_name}}</b></template>`,
    );
    expect(queryShadow(element, '.rows b')).to.have.text('window.ran = true');
    expect('ran' in window).to.equal(false);
    expect(queryShadow(element, '.rows style')).to.have.text("b { --name: '{{donor_name}}'; }");
  });

  it('is updated with its row', async () => {
    const element = await openWholeTable(
      {},
      '<template slot="cell-donor"><a href="#{{id}}">{{donor_name}}</a></template>',
    );
    server.on(DONATIONS, () => listResponse([donation(2, { donor_name: 'Ana' }), donation(1)]));
    await element.refresh();
    await element.updateComplete;
    expect(buttons(element)).to.deep.equal(['Details: Ana', 'Details: Donor 1']);
    expect(queryShadow(element, '.rows a')).to.have.text('Ana');
  });
});

describe('a custom link in another column', () => {
  it('always has an accessible name', async () => {
    const element = await openWholeTable(
      {},
      '<template slot="cell-fund"><a href="#{{id}}">{{fund_name}}</a></template>',
    );
    expect(queryShadow(element, '.rows a')).to.have.text('—');
  });
});

describe('columns without the one that names the row', () => {
  it('still contain a button that opens the details', async () => {
    const element = await openWholeTable({ columns: 'amount created_at' });
    expect(buttons(element)).to.deep.equal(['$50.00', '$50.00']);
    expect(queryShadow(element, '.rows th')!.getAttribute('role')).to.equal('rowheader');
  });
});
