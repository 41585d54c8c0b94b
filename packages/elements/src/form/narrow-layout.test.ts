import { expect, html } from '@open-wc/testing';
import { emulateMedia, setViewport } from '@web/test-runner-commands';
import '../define.ts';
import { Donor } from '../test-support/donor.ts';
import { preloadLocales, LANGUAGES } from '../test-support/preload-locales.ts';
import { FUNDS, fullTerms, SERVER } from '../test-support/server.ts';
import { server } from '../test-support/set-up.ts';
import { waitUntil } from '../test-support/wait-until.ts';

before(preloadLocales);
after(() => setViewport({ width: 1280, height: 900 }));

interface TextLine {
  text: string;
  element: Element;
  rect: DOMRect;
}

/** All visible texts of the form, with the box of each line. */
function textLinesOf(donor: Donor): TextLine[] {
  const walker = document.createTreeWalker(donor.find('.frame')!, NodeFilter.SHOW_TEXT);
  const lines: TextLine[] = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement!;
    if (!node.textContent!.trim() || element.closest('.hidden, .card-skeleton, option')) continue;
    if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    const range = new Range();
    range.selectNodeContents(node);
    for (const rect of range.getClientRects()) {
      if (rect.width) lines.push({ text: node.textContent!.trim(), element, rect });
    }
  }
  return lines;
}

/** Line boxes are taller than their letters, so they may overlap by this many pixels. */
const SLACK_PX = 4;

function overlapping(lines: TextLine[]): string[] {
  const found: string[] = [];
  for (const [at, one] of lines.entries()) {
    for (const other of lines.slice(at + 1)) {
      const width =
        Math.min(one.rect.right, other.rect.right) - Math.max(one.rect.left, other.rect.left);
      const height =
        Math.min(one.rect.bottom, other.rect.bottom) - Math.max(one.rect.top, other.rect.top);
      const apart = one.element !== other.element;
      if (apart && width > 1 && height > SLACK_PX) found.push(`${one.text} / ${other.text}`);
    }
  }
  return found;
}

/** Words of options, buttons and headings that are broken across lines. */
function broken(donor: Donor): string[] {
  return donor.all('.option > span, .primary, .test, h2').flatMap((element) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const found: string[] = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      for (const { 0: word, index } of node.textContent!.matchAll(
        /[^\s\u00a0\u05be\u2066-\u2069-]+/gu,
      )) {
        if (word.includes('\u00ad')) continue; // A word may be broken at a soft hyphen.
        if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(word)) continue;
        const range = new Range();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const boxes = [...range.getClientRects()].filter((rect) => rect.width > 0);
        const lines = new Set(boxes.map(({ top }) => Math.round(top)));
        if (lines.size > 1) found.push(word);
      }
    }
    return found;
  });
}

describe('a form in every language, at 320 pixels and with text of twice the size', () => {
  for (const language of ['en', ...LANGUAGES]) {
    for (const [width, size] of [
      [320, '100%'],
      [320, '200%'],
      [640, '200%'],
    ] as const) {
      it(`${language}, ${width} px, ${size}: has no overlap, no overflow and no broken words`, async () => {
        await setViewport({ width, height: 900 });
        server.setForm({ terms: fullTerms(), fund_name: FUNDS[0]!.name });
        const donor = await Donor.open(html`
          <div style="font-size: ${size}">
            <connect-donate server=${SERVER} locale=${language}></connect-donate>
          </div>
        `);
        await waitUntil(() => donor.find('.frame')!.lang === language, 'the language');
        donor.find('summary')!.click();
        await donor.element.updateComplete;
        const frame = donor.find('.frame')!;
        expect(frame.scrollWidth, 'overflow').to.be.at.most(frame.clientWidth);
        const box = frame.getBoundingClientRect();
        const lines = textLinesOf(donor);
        const outside = lines.filter(
          ({ rect }) => rect.left < box.left || rect.right > box.right || rect.top < box.top,
        );
        expect(
          outside.map(({ text }) => text),
          'outside',
        ).to.deep.equal([]);
        expect(overlapping(lines), 'overlap').to.deep.equal([]);
        expect(broken(donor), 'broken words').to.deep.equal([]);
      });
    }
  }
});

describe('a form in forced colors', () => {
  afterEach(() => emulateMedia({ forcedColors: 'none' }));

  it('fills the selected option', async () => {
    await emulateMedia({ forcedColors: 'active' });
    const donor = await Donor.open();
    const colors = (selector: string) => {
      const { backgroundColor, color } = getComputedStyle(donor.find(selector)!);
      return { backgroundColor, color };
    };
    const probe = document.createElement('i');
    probe.style.cssText =
      'forced-color-adjust: none; background: SelectedItem; color: SelectedItemText';
    donor.element.before(probe);
    const { backgroundColor, color } = getComputedStyle(probe);
    // The colors have a transition of 0.12 s.
    const isFilled = () =>
      colors('.option input:checked + span').backgroundColor === backgroundColor;
    await waitUntil(isFilled, 'filled');
    const chosen = colors('.option input:checked + span');
    expect(chosen.color).to.equal(color);
    const other = colors('.option input:not(:checked) + span');
    expect(other.backgroundColor).not.to.equal(chosen.backgroundColor);
  });
});
