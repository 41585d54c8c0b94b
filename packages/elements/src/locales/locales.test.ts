import { expect } from '@open-wc/testing';
import { interpolate, type Plural } from '../internal/interpolate.ts';
import { importLocale, type Family } from '../internal/locale-file.ts';
import { donateTexts } from '../internal/messages/donate.ts';
import { donationFlowTexts } from '../internal/messages/donation-flow.ts';
import { goalTexts } from '../internal/messages/goal.ts';
import { formatPlural } from '../internal/plural.ts';
import { texts as inGerman } from './tables/de.ts';

type Texts = Record<string, string | Plural>;

/** What each family says; of tables, whose English takes its values as functions, in German. */
const ENGLISH: Record<Family, Texts> = {
  form: { ...donateTexts, ...donationFlowTexts },
  tables: inGerman,
  goal: goalTexts,
};

const LANGUAGES = ['ar', 'de', 'es', 'fr', 'he', 'hi', 'it', 'ja', 'nl', 'pt', 'zh'];

/** Words that are the same in English. */
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

      it('says everything that English says', () => {
        for (const [key, text] of Object.entries(english)) {
          const expected = placeholders(formsOf(text).other);
          const said = placeholders(formsOf(texts[key]!).other);
          expect([...new Set(said)], key).to.deep.equal([...new Set(expected)]);
        }
      });

      it('counts as its language does', () => {
        const rules = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
        for (const [key, text] of Object.entries(texts)) {
          if (typeof text === 'string') continue;
          expect(rules, key).to.include.members(Object.keys(text));
          for (const count of [0, 1, 2, 3, 5, 11, 100]) {
            expect(formatPlural(text, count, language), key).not.to.match(/[{}]|undefined/);
          }
        }
      });

      it('is clean: no markup, no space at an end, no straight quotes', () => {
        for (const text of Object.values(texts).flatMap((one) => Object.values(formsOf(one)))) {
          expect(text).not.to.match(/^\s|\s$|[<>"'] {2}|\.\.\./);
        }
      });
    });
  }
}

describe('a text', () => {
  it('takes values where it names them', () => {
    expect(interpolate('{a} + {b} = {a}', { a: '1', b: '2' })).to.equal('1 + 2 = 1');
  });

  it('keeps a value whole where directions meet', () => {
    expect(interpolate('Support {name}.', { name: 'עמותה' })).to.equal(
      'Support \u2068עמותה\u2069.',
    );
    expect(interpolate('ادعم {name}', { name: 'ABC' })).to.equal('ادعم \u2068ABC\u2069');
  });
});
