import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import english from './en.json' with { type: 'json' };
import { createTranslator, LANGUAGES, preferredLanguageTag } from './translator.ts';

describe('createTranslator', () => {
  test('has twelve languages', () => {
    assert.equal(LANGUAGES.length, 12);
  });

  for (const [tag, language, locale] of [
    ['de-AT', 'de', 'de-AT'],
    ['pt-BR', 'pt', 'pt-BR'],
    ['zh-Hant-TW', 'zh', 'zh-Hant-TW'],
    ['EN-us', 'en', 'en-US'],
    ['de_DE', 'de', 'de-DE'],
    ['zh_Hant_TW', 'zh', 'zh-Hant-TW'],
    ['sv', 'en', 'en'],
    ['constructor', 'en', 'en'],
    ['not a language', 'en', 'en'],
    ['x'.repeat(500), 'en', 'en'],
    ['', 'en', 'en'],
    [null, 'en', 'en'],
    [undefined, 'en', 'en'],
  ] as const) {
    test(`uses ${language} for ${String(tag).slice(0, 20)}`, () => {
      assert.partialDeepStrictEqual(createTranslator(tag), { language, locale });
    });
  }

  test('is right-to-left in Arabic and Hebrew', () => {
    assert.equal(createTranslator('ar-EG').direction, 'rtl');
    assert.equal(createTranslator('he').direction, 'rtl');
    assert.equal(createTranslator('hi').direction, 'ltr');
  });

  test('isolates values in right-to-left text, so that numbers keep their order', () => {
    const translateGreeting = (language: string, name: string) =>
      createTranslator(language, 'email').translate('hello_name', { name });
    assert.match(translateGreeting('he', '00-1'), /\u206800-1\u2069/);
    assert.equal(translateGreeting('en', '00-1'), 'Hello 00-1,');
    assert.equal(translateGreeting('en', 'דנה'), 'Hello \u2068דנה\u2069,');
  });

  test('translates the keys of several namespaces', () => {
    const { translate } = createTranslator('de', 'email', 'donation');
    assert.equal(translate('amount'), 'Betrag');
    assert.match(translate('receipt_subject', { org: 'Tafel' }), /Tafel/);
  });

  test('selects the plural form, and formats the count, by the language', () => {
    const totals = (language: string, count: number) =>
      createTranslator(language, 'tableFeatures').translate('totals', {}, count);
    assert.equal(totals('en', 1), '1 donation');
    assert.equal(totals('en', 1234), '1,234 donations');
    assert.equal(totals('de', 12_345), '12.345 Spenden');
    assert.equal(totals('fr', 1_000_000), '1\u202f000\u202f000 de dons');
  });
});

describe('preferredLanguageTag', () => {
  for (const [accepted, tag] of [
    ['de-AT,de;q=0.9,en;q=0.8', 'de-AT'],
    ['sv,fr;q=0.5,es;q=0.7', 'es'],
    ['de;q=0,it', 'it'],
    ['sv', undefined],
    [undefined, undefined],
  ] as const) {
    test(`chooses ${tag} for ${accepted}`, () => {
      assert.equal(preferredLanguageTag(accepted), tag);
    });
  }
});

test('the English messages name no control by its shape, color or position', () => {
  const sensory =
    /\b(left|right|above|below|round|square|green|red|blue|gr[ae]y|top|bottom) (button|field|box|link|icon|corner|side)\b|\bon the (left|right)\b/i;
  const messages = Object.values(english).flatMap((namespace) => Object.values(namespace));
  assert.ok(messages.length > 100);
  assert.deepEqual(
    messages.filter((message) => sensory.test(JSON.stringify(message))),
    [],
  );
});
