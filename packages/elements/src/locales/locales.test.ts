import { expect } from '@open-wc/testing';
import { interpolate, type Plural } from '@connect-embed/contract/interpolate';
import { importLocale, type Family } from '../internal/locale-file.ts';
import { donateTexts } from '../internal/messages/donate.ts';
import { donationFlowTexts } from '../internal/messages/donation-flow.ts';
import { goalTexts } from '../internal/messages/goal.ts';
import { formatPlural } from '@connect-embed/contract/format-plural';
import { texts as inGerman } from './tables/de.ts';

type Texts = Record<string, string | Plural>;

/**
 * The texts of each family to compare with. The English texts of the tables contain functions, so
 * German is used for them.
 */
const ENGLISH: Record<Family, Texts> = {
  form: { ...donateTexts, ...donationFlowTexts },
  tables: inGerman,
  goal: goalTexts,
};

const LANGUAGES = ['ar', 'de', 'es', 'fr', 'he', 'hi', 'it', 'ja', 'nl', 'pt', 'zh'];

/** Keys whose translation is the same word as in English. */
const SAME: Readonly<Record<string, readonly string[]>> = {
  de: ['name'],
  fr: ['comment', 'date'],
};

const formsOf = (text: string | Plural) => (typeof text === 'string' ? { other: text } : text);

const placeholders = (text: string) => [...text.matchAll(/{\w+}/g)].map(([name]) => name).sort();

for (const [family, english] of Object.entries(ENGLISH)) {
  for (const language of LANGUAGES) {
    describe(`${family}, ${language}`, () => {
      let texts: Texts;
      before(async () => ({ texts } = (await importLocale(family as Family, language)) as never));

      it('has every text, and no other', () => {
        expect(Object.keys(texts).sort()).to.deep.equal(Object.keys(english).sort());
      });

      const withEnglish = family === 'tables' ? () => {} : it;
      withEnglish('leaves nothing in English', () => {
        const same = Object.keys(english).filter((key) => {
          const { other } = formsOf(english[key]!);
          return /\w/.test(other.replace(/{\w+}/g, '')) && formsOf(texts[key]!).other === other;
        });
        const known = (SAME[language] ?? []).filter((key) => key in english);
        expect(same).to.deep.equal(known);
      });

      it('has the same placeholders as English', () => {
        for (const [key, text] of Object.entries(english)) {
          const expected = placeholders(formsOf(text).other);
          const said = placeholders(formsOf(texts[key]!).other);
          expect([...new Set(said)], key).to.deep.equal([...new Set(expected)]);
        }
      });

      it('has only plural forms of its language', () => {
        const rules = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
        for (const [key, text] of Object.entries(texts)) {
          if (typeof text === 'string') continue;
          expect(rules, key).to.include.members(Object.keys(text));
          for (const count of [0, 1, 2, 3, 5, 11, 100]) {
            expect(formatPlural(text, count, language), key).not.to.match(/[{}]|undefined/);
          }
        }
      });

      it('has no markup, surrounding spaces or straight quotes', () => {
        for (const text of Object.values(texts).flatMap((one) => Object.values(formsOf(one)))) {
          expect(text).not.to.match(/^\s|\s$|[<>"']| {2}|\.\.\./);
        }
      });
    });
  }
}

describe('interpolate', () => {
  it('replaces placeholders with values', () => {
    expect(interpolate('{a} + {b} = {a}', { a: '1', b: '2' })).to.equal('1 + 2 = 1');
  });

  it('isolates values of the opposite text direction', () => {
    expect(interpolate('Support {name}.', { name: 'עמותה' })).to.equal(
      'Support \u2068עמותה\u2069.',
    );
    expect(interpolate('ادعم {name}', { name: 'ABC' })).to.equal('ادعم \u2068ABC\u2069');
  });
});
