import { MAX_LIMIT } from '../internal/pages.ts';
import { warnOnce } from '../internal/script-home.ts';
import type { Resource, TableElement } from './table-element.ts';

const checked = new WeakMap<Element, string>();

/** Tells the page's owner of every attribute that means nothing; it is passed over. */
export function checkAttributes<Row extends Resource>(table: TableElement<Row>) {
  const { limit, locale, pages, refreshSeconds, timeZone } = table;
  // Asked with every drawing, and a zone is slow to look up.
  const state = [limit, locale, refreshSeconds, timeZone].join(' ');
  if (checked.get(table) === state) return;
  checked.set(table, state);
  const check = (holds: boolean, name: string, value: unknown, allowed: string) => {
    if (!holds) warnOnce(table, name, `${value as string}`, allowed);
  };
  check(pages.limit === limit, 'limit', limit, `a whole number from 1 to ${MAX_LIMIT}`);
  check(
    Number.isFinite(refreshSeconds) && refreshSeconds >= 0,
    'refresh-seconds',
    refreshSeconds,
    'a number of seconds, or 0 for never',
  );
  const zone = () => new Intl.DateTimeFormat('en', { timeZone: timeZone || undefined });
  check(means(zone), 'time-zone', timeZone, 'a zone such as America/New_York');
  const language = () => !locale || new Intl.Locale(locale.trim());
  check(means(language), 'locale', locale, 'a language such as de-AT');
}

function means(make: () => unknown): boolean {
  try {
    make();
    return true;
  } catch {
    return false;
  }
}
