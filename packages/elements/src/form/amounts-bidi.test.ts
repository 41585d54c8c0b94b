import { expect, fixture, html } from '@open-wc/testing';
import '../define.ts';
import { Donor } from '../test-support/donor.ts';
import { preloadLocales } from '../test-support/preload-locales.ts';
import { donationTerms, jsonResponse, SERVER } from '../test-support/server.ts';
import { server } from '../test-support/set-up.ts';
import { waitUntil } from '../test-support/wait-until.ts';

before(preloadLocales);
afterEach(() => document.documentElement.removeAttribute('dir'));

/** Returns the characters of a text in their visual order, from left to right. */
function drawn(node: Text, start: number, end: number): string {
  const seen = [];
  for (let at = start; at < end; at += 1) {
    const range = new Range();
    range.setStart(node, at);
    range.setEnd(node, at + 1);
    const { left, width } = range.getBoundingClientRect();
    // Direction marks have no width.
    if (width) seen.push({ left, character: node.data[at] });
  }
  seen.sort((one, other) => one.left - other.left);
  return seen.map(({ character }) => character).join('');
}

/** A number in any numeral system. */
const NUMBER = /\p{Nd}(?:[\p{Nd}.,\u066b\u066c]*\p{Nd})?/u;

/**
 * Amounts of a text in visual order, with numbers replaced by `#`. An amount is an isolated part of
 * the text (U+2068 to U+2069), or else the whole text.
 */
function amountsIn(node: Text): string[] {
  const parts = [...node.data.matchAll(/\u2068([^\u2068\u2069]*)\u2069/gu)];
  const spans = parts.length
    ? parts.map(({ index, 0: all }) => [index + 1, index + all.length - 1] as const)
    : [[0, node.data.length] as const];
  return spans
    .filter(([start, end]) => /\p{Nd}/u.test(node.data.slice(start, end)))
    .map(([start, end]) => drawn(node, start, end).replace(/\s/gu, ' ').trim())
    .map((text) => text.replace(NUMBER, '#'));
}

/** Text nodes of all elements that match a selector. */
const textsOf = (root: ParentNode, selector: string): Text[] =>
  [...root.querySelectorAll(selector)].flatMap((element) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const texts: Text[] = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) texts.push(node as Text);
    return texts.filter(({ data }) => /\S/.test(data));
  });

const amountsAt = (root: ParentNode, selector: string) =>
  textsOf(root, selector).flatMap((node) => amountsIn(node));

const FORM = '.option > span, #amount-hint, .checkbox, .primary';
const THANKS = '.thank-you p:not(.hint), dl div:first-child dd';

/** Locale, currency, and the expected amount in visual order from left to right. */
const FORMATS = [
  ['ar', 'usd', 'US$ #'],
  ['ar', 'cad', 'CA$ #'],
  ['ar', 'eur', '€ #'],
  ['ar', 'ils', '₪ #'],
  ['ar', 'jpy', 'JP¥ #'],
  ['ar', 'kwd', '.\u0643.\u062f #'],
  ['ar-EG', 'usd', 'US$ #'],
  ['ar-EG', 'kwd', '.\u0643.\u062f #'],
  ['he', 'usd', '$ #'],
  ['he', 'cad', 'CA$ #'],
  ['he', 'eur', '€ #'],
  ['he', 'ils', '₪ #'],
  ['he', 'kwd', 'KWD #'],
] as const;

const offer = (currency: string) => {
  const terms = donationTerms({
    preset_amounts_cents: [2500, 123_400],
    default_amount_cents: 2500,
    fee_cover: 'preselected',
  });
  server.setForm({ currency, terms });
};

describe('an amount on a right-to-left page', () => {
  for (const [locale, currency, format] of FORMATS) {
    it(`is drawn in the order of its language: ${currency} in ${locale}`, async () => {
      document.documentElement.dir = 'rtl';
      offer(currency);
      const tag = html`<connect-donate server=${SERVER} locale=${locale}></connect-donate>`;
      const donor = await Donor.open(tag);
      const root = donor.element.shadowRoot!;
      const shownAmounts = amountsAt(root, FORM);
      // Two presets, two bounds, the fee, a sum of four amounts, and the button.
      expect(shownAmounts).to.have.length(10);
      expect(new Set(shownAmounts)).to.deep.equal(new Set([format]));
      const [symbol] = textsOf(root, '.symbol');
      expect(drawn(symbol!, 0, symbol!.length)).to.equal(format.replace(' #', ''));
      donor.find('#other')!.focus();
      expect(getComputedStyle(donor.find('.symbol')!).outlineStyle).to.equal('none');
      await donor.fillAndSubmit();
      await donor.waitFor('.thank-you');
      expect(amountsAt(root, THANKS)).to.deep.equal([format, format]);
    });
  }

  for (const [locale, currency, way] of [
    ['en-CA', 'usd', 'US$#'],
    ['fa', 'usd', '$#'],
    ['fa', 'cad', '$CA #'],
  ] as const) {
    it(`is drawn in the order of its language in English text: ${currency} in ${locale}`, async () => {
      document.documentElement.dir = 'rtl';
      offer(currency);
      const tag = html`<connect-donate server=${SERVER} locale=${locale}></connect-donate>`;
      const donor = await Donor.open(tag);
      const root = donor.element.shadowRoot!;
      expect(new Set(amountsAt(root, '.option > span'))).to.deep.equal(new Set([way]));
      const [symbol] = textsOf(root, '.symbol');
      expect(drawn(symbol!, 0, symbol!.length)).to.equal(way.replace(/ ?#/, ''));
      const { left } = donor.find('.symbol')!.getBoundingClientRect();
      expect(left).to.be.below(donor.find('#other')!.getBoundingClientRect().left);
    });
  }
});

describe('input on a right-to-left page', () => {
  it('has its own direction and the alignment of the page', async () => {
    document.documentElement.dir = 'rtl';
    const tag = html`<connect-donate server=${SERVER} locale="ar"></connect-donate>`;
    const donor = await Donor.open(tag);
    await donor.fill();
    for (const field of ['#other', '#name', '#email']) {
      const { direction, unicodeBidi, textAlign } = getComputedStyle(donor.find(field)!);
      expect([direction, unicodeBidi, textAlign]).to.deep.equal(['rtl', 'plaintext', 'right']);
    }
  });
});

describe('the sum of a campaign on a right-to-left page', () => {
  for (const [locale, currency, format] of FORMATS) {
    it(`is drawn in the order of its language: ${currency} in ${locale}`, async () => {
      document.documentElement.dir = 'rtl';
      const whole = currency === 'kwd' ? 1000 : 100;
      server.on('/campaigns/camp_winter/progress', () =>
        jsonResponse({
          object: 'campaign_progress',
          campaign_id: 'camp_winter',
          name: 'Winter meals',
          currency,
          goal_cents: 20_000 * whole,
          raised_cents: 12_340 * whole,
        }),
      );
      const goal = await fixture<HTMLElement>(
        html`<connect-goal
          server=${SERVER}
          campaign="camp_winter"
          locale=${locale}
        ></connect-goal>`,
      );
      const root = goal.shadowRoot!;
      const shown = () => amountsAt(root, '[part=amount], [part=description]');
      await waitUntil(() => shown().length === 2, 'the sum and the goal');
      expect(shown()).to.deep.equal([format, format]);
    });
  }
});
