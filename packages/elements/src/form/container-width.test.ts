import { expect, html } from '@open-wc/testing';
import '../define.ts';
import { Donor } from '../test-support/donor.ts';
import { SERVER } from '../test-support/server.ts';
import '../test-support/set-up.ts';

afterEach(() => document.documentElement.removeAttribute('style'));

const FORM = html`<connect-donate server=${SERVER}></connect-donate>`;

describe('containers of a form', () => {
  for (const style of [
    'display: inline-block',
    'float: left',
    'position: absolute',
    'display: table-cell',
  ]) {
    it(`is wide enough in a container that shrinks to its content: ${style}`, async () => {
      const donor = await Donor.open(html`<div style=${style}>${FORM}</div>`);
      expect(donor.element.clientWidth).to.be.at.least(280);
    });
  }

  it('is as wide on a page with a small root font size', async () => {
    document.documentElement.style.fontSize = '62.5%';
    const donor = await Donor.open(html`<div style="inline-size: 640px">${FORM}</div>`);
    expect(donor.element.clientWidth).to.equal(480);
    const goal = document.createElement('connect-goal');
    donor.element.after(goal);
    expect(goal.clientWidth).to.equal(480);
  });

  for (const space of ['nowrap', 'pre']) {
    it(`wraps its lines on a page whose lines do not wrap: ${space}`, async () => {
      const donor = await Donor.open(
        html`<div style="inline-size: 300px; white-space: ${space}">${FORM}</div>`,
      );
      const frame = donor.find('.frame')!;
      expect(frame.scrollWidth).to.be.at.most(frame.clientWidth);
    });
  }
});
