import { expect, html } from '@open-wc/testing';
import './define.ts';
import { donationFlow, form } from '@connect-embed/locales/en.json';
import { Donor } from './test-support/donor.ts';
import { VIEW_STATES } from './test-support/view-states.ts';
import { pseudoLocalize } from './test-support/pseudo-locale.ts';
import { fullTerms, SERVER } from './test-support/server.ts';
import { server } from './test-support/set-up.ts';

beforeEach(() => server.setForm({ terms: fullTerms({ fee_cover: 'preselected' }) }));

const messages = pseudoLocalize({ ...form, ...donationFlow });

describe('a pseudo-locale with long texts', () => {
  for (const [viewState, { before: prepare, reach }] of Object.entries(VIEW_STATES)) {
    it(`fits into ${viewState}, at every width`, async () => {
      prepare?.();
      const donor = await Donor.render(
        html`<connect-donate server=${SERVER} .messages=${messages}></connect-donate>`,
      );
      const { element } = donor;
      await reach(donor);
      for (const width of [280, 320, 768]) {
        element.parentElement!.style.inlineSize = `${width}px`;
        expect(cutOff(element), `${width} px`).to.deep.equal([]);
      }
      const plain = textsIn(element.shadowRoot!).filter(
        (text) => !/^\[.*\]$|^[^a-z]*$/s.test(text),
      );
      expect(plain, 'texts that come from no translation').to.deep.equal(
        DATA_BY_STATE[viewState] ?? DATA,
      );
    });
  }
});

/** Data of the organization, which is not translated. */
const DATA = ['Winter meals', 'Weekend meals', 'Mobile kitchen'];
/** The day of `PAID_AT` in New York. */
const DAY = 'December 31, 2025';
const DATA_BY_STATE: Readonly<Record<string, readonly string[]>> = {
  'thank-you page': ['Weekend meals', 'Winter meals', DAY, 'January 31, 2026'],
  'thank-you page with every detail': [
    ...['a week of school lunches', 'Grandma Ruth', 'Weekend meals', 'Winter meals', DAY],
  ],
  'thank-you page with a link to copy': ['Weekend meals', 'Winter meals', DAY],
  'load error': [],
  'load error while offline': [],
  loading: [],
};

/**
 * Nodes whose content overflows, or which extend beyond the element. Ignores the field with the URL to
 * copy, which scrolls.
 */
function cutOff(element: HTMLElement): string[] {
  const box = element.getBoundingClientRect();
  return [...element.shadowRoot!.querySelectorAll<HTMLElement>('*:not(.hidden, .hidden *, #link)')]
    .filter((inner) => {
      const { left, right, width } = inner.getBoundingClientRect();
      if (!width || inner.closest('select, svg')) return false;
      const over = inner.scrollWidth > inner.clientWidth + 1 && inner.clientWidth > 0;
      return over || left < box.left - 1 || right > box.right + 1;
    })
    .map((inner) => `${inner.localName}.${inner.className}: ${inner.textContent.trim()}`);
}

const textsIn = (root: Node): string[] =>
  [...root.childNodes].flatMap((node) => {
    if (node instanceof HTMLElement && node.localName === 'style') return [];
    if (node.nodeType === Node.TEXT_NODE) return node.textContent?.trim() || [];
    return textsIn(node);
  });
