import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { TRANSLATED_LANGUAGES } from '@connect-embed/elements/shared/languages.js';
import { problemsOf } from './message-catalog.ts';

const en = {
  form: { give: 'Give {amount}', sorted: 'Sorted by {columnLower}' },
  tableFeatures: { totals: { one: '{count} donation', other: '{count} donations' } },
};
const he = {
  form: { give: 'תרומה של {amount}', sorted: 'מיון לפי {column}' },
  tableFeatures: { totals: { one: 'תרומה אחת', two: 'שתי תרומות', other: '{count} תרומות' } },
};

const problemsIn = (form: object, tableFeatures: object = he.tableFeatures) =>
  problemsOf({ en, he: { form: { ...he.form, ...form }, tableFeatures: { ...tableFeatures } } });

test('a complete catalog has no problems', () => {
  assert.deepEqual(problemsIn({}), []);
});

test('missing and unknown keys and namespaces are found', () => {
  const { give } = he.form;
  assert.deepEqual(problemsOf({ en, he: { form: { give, take: 'לקחת' } } }), [
    'he: tableFeatures is missing',
    'he form: sorted is missing',
    'he form: take is unknown',
    'he tableFeatures: totals is missing',
  ]);
});

test('missing and unknown placeholders are found', () => {
  assert.deepEqual(problemsIn({ give: 'תרומה של {sum}' }), [
    'he form.give: {sum} is unknown',
    'he form.give: {amount} is missing',
  ]);
});

test('missing and unknown plural forms are found', () => {
  const totals = { one: 'תרומה אחת', few: '{count} תרומות', other: 'תרומות' };
  assert.deepEqual(problemsIn({}, { totals }), [
    'he tableFeatures.totals, plural forms: two is missing',
    'he tableFeatures.totals, plural forms: few is unknown',
    'he tableFeatures.totals: {count} is missing',
  ]);
  assert.deepEqual(problemsIn({}, { totals: '{count} תרומות' }), [
    'he tableFeatures.totals must have plural forms like English',
  ]);
});

test('untranslated messages and wrong characters are found', () => {
  assert.deepEqual(problemsIn({ give: 'Give {amount}' }), [
    'he form.give is English: Give {amount}',
  ]);
  assert.equal(problemsIn({ give: '<b>{amount}</b>' }).length, 1);
});

test('a key in two namespaces that are loaded together is found', () => {
  const catalog = { email: { date: 'Date' }, donation: { date: 'Date' } };
  assert.deepEqual(problemsOf({ en: catalog }), ['en: date is in two of email, donation']);
});

test('the elements and the services list every language of the catalog', () => {
  const root = join(import.meta.dirname, '../..');
  const read = (file: string) => readFileSync(join(root, file), 'utf8');
  const languages = globSync('??.json', { cwd: join(root, 'packages/locales') }).map((file) =>
    file.slice(0, 2),
  );
  assert.deepEqual(['en', ...TRANSLATED_LANGUAGES].sort(), languages.sort());
  for (const language of languages)
    assert.match(read('packages/locales/catalog.ts'), new RegExp(`^  ${language},$`, 'm'));
});
