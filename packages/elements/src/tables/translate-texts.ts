import { interpolate, type Plural } from '@connect-embed/contract/interpolate';
import { badges, tableTexts } from '../internal/messages/tables.ts';
import type { TablesMessages } from '../internal/messages/tables-texts.ts';
import type { MessageOverrides } from '../internal/language.ts';
import { formatPlural } from '@connect-embed/contract/format-plural';
import { formatCount } from './format-count.ts';
import { deferredTexts } from './deferred-texts.ts';

type Texts = Partial<TablesMessages>;

/** All texts of a table. */
export interface TableTexts {
  language: string;
  initial: typeof tableTexts;
  deferred: typeof deferredTexts;
  /** Texts of the status badges, in the order of `badges`. */
  badges: string[];
}

const BADGE_KEYS = {
  pending: 'payout_pending',
  in_transit: 'payout_in_transit',
  paid: 'payout_paid',
  failed: 'payout_failed',
  canceled: 'payout_canceled',
  none: 'received',
  partial: 'refund_partial',
  full: 'refund_full',
  open: 'dispute_open',
  won: 'dispute_won',
  lost: 'dispute_lost',
} as const;

const STATE_KEYS = {
  'refund_status=partial': 'partlyRefunded',
  'refund_status=full': 'refund_full',
  'dispute_status=open': 'dispute_open',
  'dispute_status=won': 'dispute_won',
  'dispute_status=lost': 'dispute_lost',
} as const;

/** Placeholders of texts that are functions in English, in the order of the function's parameters. */
const PLACEHOLDERS: Readonly<Record<string, string[]>> = {
  all: ['count'],
  loading: ['what'],
  added: ['count', 'what'],
  empty: ['what'],
  page: ['page'],
  weekOf: ['day'],
  sorted: ['column'],
  found: ['count'],
  printed: ['count'],
};

export const ENGLISH: TableTexts = {
  language: 'en',
  initial: { ...tableTexts },
  deferred: { ...deferredTexts },
  badges: Object.values(badges).map(({ text }) => text),
};

/**
 * Merges the translations of a language with the host page's custom texts, which take precedence.
 * Missing texts are English.
 *
 * @param overrides by name; those nested under a language code apply to that language only
 */
export function buildTexts(
  language: string,
  translations: TablesMessages | undefined,
  overrides: MessageOverrides<TablesMessages> | null,
): TableTexts {
  if (!translations && !overrides) return ENGLISH;
  const textsLanguage = translations ? language : 'en';
  const texts: Texts = {
    ...translations,
    ...overrides,
    ...(overrides?.[textsLanguage] as Texts | undefined),
  };
  const keys = Object.keys(badges) as (keyof typeof BADGE_KEYS)[];
  return {
    language: textsLanguage,
    initial: translate(texts, ENGLISH.initial, textsLanguage),
    deferred: {
      ...translate(texts, ENGLISH.deferred, textsLanguage),
      ...pluralTexts(texts, textsLanguage),
    },
    badges: keys.map((key, index) => texts[BADGE_KEYS[key]] ?? ENGLISH.badges[index]!),
  };
}

/** Replaces each English text that has a translation. Texts with placeholders become functions. */
function translate<English extends object>(texts: Texts, english: English, language: string) {
  const result = { ...english } as Record<string, unknown>;
  for (const key of Object.keys(english)) {
    const text = texts[key as keyof TablesMessages];
    const names = PLACEHOLDERS[key];
    if (typeof text !== 'string') continue;
    if (typeof result[key] === 'string') result[key] = text;
    else if (names)
      result[key] = (...values: unknown[]) => interpolate(text, valuesOf(names, values, language));
  }
  return result as English;
}

const valuesOf = (names: string[], values: unknown[], language: string) =>
  Object.fromEntries(
    names.map((name, index) => {
      const value = values[index];
      return [
        name,
        typeof value === 'number' ? formatCount(value, language) : `${value as string}`,
      ];
    }),
  );

/** Texts that need more than a replacement: shared texts and plural forms. */
function pluralTexts(texts: Texts, language: string): Partial<typeof deferredTexts> {
  const { deferred } = ENGLISH;
  const { totals, exporting } = texts;
  const states = Object.entries(STATE_KEYS).map(([state, key]) => [
    state,
    texts[key] ?? deferred.states[state],
  ]);
  return {
    state: texts.status ?? deferred.state,
    states: Object.fromEntries(states) as typeof deferred.states,
    ...(totals && { totals: (count: string) => formatPluralText(totals, count, language) }),
    ...(exporting && {
      exporting: (count: string) => formatPluralText(exporting, count, language),
    }),
  };
}

/** Selects the plural form of a number that is already formatted, by its digits. */
function formatPluralText(forms: Plural, count: string, language: string): string {
  const digits = Number(count.replace(/\D/g, '')) || 0;
  return formatPlural(forms, digits, language, { count });
}
