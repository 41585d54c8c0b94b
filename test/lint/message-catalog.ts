/** Compares the message catalog (`packages/locales/*.json`) of each language with English. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

type Message = string | Record<string, string>;
type Namespaces = Record<string, Record<string, Message>>;

/**
 * Groups of namespaces that are loaded as one set of keys, so no key may be in two namespaces of a
 * group.
 */
const LOADED_TOGETHER = [
  ['form', 'donationFlow'],
  ['tables', 'tableFeatures'],
  ['hostedPage', 'donationPage'],
  ['email', 'donation'],
  ['managePage', 'donation'],
];

/** Messages whose translation is the same word as in English. */
const SAME_AS_ENGLISH: Readonly<Record<string, readonly string[]>> = {
  de: ['form.name', 'tables.status', 'tables.name', 'tables.test', 'tableFeatures.details'],
  es: ['tableFeatures.sum'],
  fr: [
    'form.comment',
    'donationFlow.date',
    'tables.date',
    'tables.description',
    'tables.net',
    'tables.source',
    'tables.test',
    'tableFeatures.page',
    'tableFeatures.kind',
    'tableFeatures.parts',
    'tableFeatures.sum',
    'donation.date',
  ],
  it: ['tables.test'],
  nl: [
    'tables.status',
    'tables.test',
    'tableFeatures.kind',
    'tableFeatures.details',
    'tableFeatures.reserve',
  ],
  pt: ['tables.status', 'tableFeatures.sum'],
};

/** Plural forms that may omit the count, because their words can name it: "one field". */
const MAY_OMIT_COUNT = new Set(['zero', 'one', 'two']);

/**
 * Matches markup, surrounding or double spaces, straight quotes, and three dots in place of an
 * ellipsis.
 */
const BAD_CHARACTERS = /^\s|\s$|[<>"']| {2}|\.\.\./;

const formsOf = (message: Message) => (typeof message === 'string' ? { other: message } : message);

/** `{what}` and `{whatLower}` are the same value, as in a heading and within a sentence. */
const placeholdersOf = (text: string) =>
  new Set([...text.matchAll(/{(\w+?)(?:Lower)?}/g)].map(([, name]) => name!));

/**
 * @param catalogs by language; `en` is the source
 * @returns a line for each problem
 */
export function problemsOf(catalogs: Readonly<Record<string, Namespaces>>): string[] {
  const { en = {} } = catalogs;
  return Object.entries(catalogs).flatMap(([language, catalog]) => [
    ...keyProblems(language, Object.keys(catalog), Object.keys(en)),
    ...Object.entries(en).flatMap(([namespace, english]) => {
      const messages = catalog[namespace] ?? {};
      return [
        ...keyProblems(`${language} ${namespace}`, Object.keys(messages), Object.keys(english)),
        ...Object.entries(english).flatMap(([key, source]) => {
          const message = messages[key];
          if (message === undefined) return [];
          const name = `${namespace}.${key}`;
          return [
            ...messageProblems(`${language} ${name}`, language, message, source),
            ...untranslated(name, language, message, source),
          ];
        }),
      ];
    }),
    ...LOADED_TOGETHER.flatMap((names) => duplicateKeys(language, catalog, names)),
  ]);
}

function keyProblems(where: string, keys: string[], expected: string[]): string[] {
  return [
    ...expected.filter((key) => !keys.includes(key)).map((key) => `${where}: ${key} is missing`),
    ...keys.filter((key) => !expected.includes(key)).map((key) => `${where}: ${key} is unknown`),
  ];
}

function messageProblems(name: string, language: string, message: Message, source: Message) {
  if (typeof message !== typeof source) return [`${name} must have plural forms like English`];
  const forms = formsOf(message);
  const problems = Object.values(forms)
    .filter((text) => !text || BAD_CHARACTERS.test(text))
    .map((text) => `${name} is empty, or has markup, spaces, quotes or dots to replace: ${text}`);
  if (typeof message !== 'string') {
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
    problems.push(...keyProblems(`${name}, plural forms`, Object.keys(message), pluralCategories));
  }
  const expected = placeholdersOf(formsOf(source)['other'] ?? '');
  for (const [form, text] of Object.entries(forms)) {
    const found = placeholdersOf(text);
    for (const placeholder of found)
      if (!expected.has(placeholder)) problems.push(`${name}: {${placeholder}} is unknown`);
    for (const placeholder of expected) {
      if (found.has(placeholder)) continue;
      if (placeholder === 'count' && MAY_OMIT_COUNT.has(form)) continue;
      problems.push(`${name}: {${placeholder}} is missing`);
    }
  }
  return problems;
}

function untranslated(name: string, language: string, message: Message, source: Message) {
  const text = formsOf(message)['other'];
  if (language === 'en' || text !== formsOf(source)['other']) return [];
  if (!/\p{L}/u.test(text!.replace(/{\w+}/g, ''))) return [];
  return SAME_AS_ENGLISH[language]?.includes(name)
    ? []
    : [`${language} ${name} is English: ${text}`];
}

function duplicateKeys(language: string, catalog: Namespaces, names: string[]): string[] {
  const keys = names.flatMap((name) => Object.keys(catalog[name] ?? {}));
  return keys
    .filter((key, index) => keys.indexOf(key) !== index)
    .map((key) => `${language}: ${key} is in two of ${names.join(', ')}`);
}

if (import.meta.main) {
  const folder = join(import.meta.dirname, '../../packages/locales');
  const files = readdirSync(folder).filter((file) => /^\w{2}\.json$/.test(file));
  const catalogs = Object.fromEntries(
    files.map((file) => [
      file.slice(0, 2),
      JSON.parse(readFileSync(join(folder, file), 'utf8')) as Namespaces,
    ]),
  );
  const problems = problemsOf(catalogs);
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
}
