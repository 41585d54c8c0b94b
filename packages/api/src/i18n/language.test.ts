import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { en } from './en.ts';
import { LANGUAGES, createTranslator } from './language.ts';

const placeholdersIn = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort();

describe('messages for donors', () => {
  test('exist in twelve languages', () => {
    assert.equal(Object.keys(LANGUAGES).length, 12);
  });

  for (const [language, messages] of Object.entries(LANGUAGES)) {
    test(`${language} has the same keys and placeholders as English`, () => {
      assert.deepEqual(Object.keys(messages), Object.keys(en));
      for (const [key, text] of Object.entries(en)) {
        const translated = messages[key as keyof typeof en];
        assert.ok(translated.trim(), key);
        assert.deepEqual(placeholdersIn(translated), placeholdersIn(text), key);
      }
    });
  }

  for (const [tag, language, locale] of [
    ['de-AT', 'de', 'de-AT'],
    ['pt-BR', 'pt', 'pt-BR'],
    ['zh-Hant-TW', 'zh', 'zh-Hant-TW'],
    ['EN-us', 'en', 'en-US'],
    ['sv', 'en', 'en'],
    ['constructor', 'en', 'en'],
    ['not a language', 'en', 'en'],
    ['x'.repeat(500), 'en', 'en'],
    ['', 'en', 'en'],
    [null, 'en', 'en'],
  ] as const) {
    test(`createTranslator(${String(tag).slice(0, 20)}) uses ${language}`, () => {
      assert.partialDeepStrictEqual(createTranslator(tag), { language, locale });
    });
  }

  test('are right-to-left in Arabic and Hebrew', () => {
    assert.equal(createTranslator('ar-EG').direction, 'rtl');
    assert.equal(createTranslator('he').direction, 'rtl');
    assert.equal(createTranslator('hi').direction, 'ltr');
    // Without isolation, a number in right-to-left text would be displayed in the wrong order.
    assert.match(
      createTranslator('he').translate('hello_name', { name: '00-1' }),
      /\u206800-1\u2069/,
    );
    assert.equal(createTranslator('en').translate('hello_name', { name: '00-1' }), 'Hello 00-1,');
  });
});
