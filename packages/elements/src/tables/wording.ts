import { fill, type Plural } from '../internal/fill.ts';
import { badges, tableTexts } from '../internal/messages/tables.ts';
import type { TablesTexts } from '../internal/messages/tables-texts.ts';
import type { OwnTexts } from '../internal/language.ts';
import { counted } from '../internal/plural.ts';
import { formatCount } from './count.ts';
import { lateTexts } from './texts.ts';

type Texts = Partial<TablesTexts>;

/** All that a table says. */
export interface Words {
  language: string;
  table: typeof tableTexts;
  late: typeof lateTexts;
  /** Texts of statuses, in the order of `badges`. */
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

/** What a text names, in the order in which it is told. */
const NAMED: Readonly<Record<string, string[]>> = {
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

export const ENGLISH: Words = {
  language: 'en',
  table: { ...tableTexts },
  late: { ...lateTexts },
  badges: Object.values(badges).map(({ text }) => text),
};

/**
 * The words of a language, and of the page's own before them; English where there are none.
 *
 * @param own by name; those under a language's name are for that language alone
 */
export function wordsOf(
  language: string,
  loaded: TablesTexts | undefined,
  own: OwnTexts<TablesTexts> | null,
): Words {
  if (!loaded && !own) return ENGLISH;
  const spoken = loaded ? language : 'en';
  const texts: Texts = { ...loaded, ...own, ...(own?.[spoken] as Texts | undefined) };
  const keys = Object.keys(badges) as (keyof typeof BADGE_KEYS)[];
  return {
    language: spoken,
    table: filled(texts, ENGLISH.table, spoken),
    late: { ...filled(texts, ENGLISH.late, spoken), ...twofold(texts, spoken) },
    badges: keys.map((key, index) => texts[BADGE_KEYS[key]] ?? ENGLISH.badges[index]!),
  };
}

/** Texts as they are, or with a place for each value that they name. */
function filled<English extends object>(texts: Texts, english: English, language: string) {
  const words = { ...english } as Record<string, unknown>;
  for (const key of Object.keys(english)) {
    const text = texts[key as keyof TablesTexts];
    const names = NAMED[key];
    if (typeof text !== 'string') continue;
    if (typeof words[key] === 'string') words[key] = text;
    else if (names)
      words[key] = (...values: unknown[]) => fill(text, valuesOf(names, values, language));
  }
  return words as English;
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

/** Those that say one thing in two ways, or as their language counts. */
function twofold(texts: Texts, language: string): Partial<typeof lateTexts> {
  const { late } = ENGLISH;
  const { totals, exporting } = texts;
  const states = Object.entries(STATE_KEYS).map(([state, key]) => [
    state,
    texts[key] ?? late.states[state],
  ]);
  return {
    state: texts.status ?? late.state,
    states: Object.fromEntries(states) as typeof late.states,
    ...(totals && { totals: (count: string) => countedAs(totals, count, language) }),
    ...(exporting && { exporting: (count: string) => countedAs(exporting, count, language) }),
  };
}

/** A number that is written already: which form it takes is told by its digits. */
function countedAs(forms: Plural, count: string, language: string): string {
  const digits = Number(count.replace(/\D/g, '')) || 0;
  return counted(forms, digits, language, { count });
}
