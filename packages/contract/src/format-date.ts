/**
 * Formats of dates and times:
 * - `date`: Mar 29, 2026; `long-date`: March 29, 2026; `time`: 11:30 PM
 * - `event`: to the minute, with weekday and time zone; `exact`: to the second, with time zone
 * - `file`: 2026-03-29 23:30:00, which spreadsheets in every language parse as a date. The time
 *   zone is in the column's heading.
 */
export type DateStyle = 'date' | 'long-date' | 'event' | 'exact' | 'time' | 'file';

/** Time zone and language of a formatted time. */
export interface DateFormat {
  /** IANA name of the organization's or the event's time zone. */
  timeZone: string;
  /** BCP 47 tag. */
  locale: string;
}

const DAY_OPTIONS = { year: 'numeric', month: 'short', day: 'numeric' } as const;
const TIME_OPTIONS = { hour: 'numeric', minute: '2-digit' } as const;

const STYLES: Record<DateStyle, Intl.DateTimeFormatOptions> = {
  date: { dateStyle: 'medium' },
  'long-date': { dateStyle: 'long' },
  event: { ...DAY_OPTIONS, ...TIME_OPTIONS, weekday: 'short', timeZoneName: 'short' },
  exact: { ...DAY_OPTIONS, ...TIME_OPTIONS, second: '2-digit', timeZoneName: 'short' },
  time: { timeStyle: 'short' },
  file: { dateStyle: 'short', timeStyle: 'medium' },
};

/**
 * Cached formatters. Creating a formatter is a thousand times slower than using it, and an export
 * has 100,000 rows.
 */
const formatters = new Map<string, Intl.DateTimeFormat>();
const MAX_FORMATTERS = 200;

/**
 * Formats a time for people. All code uses this function, and every caller names the time zone, so
 * that a time is shown as the same day everywhere.
 *
 * @param time a date, or an ISO-8601 string of the API
 */
export function formatDate(
  time: Date | string,
  style: DateStyle,
  { timeZone, locale }: DateFormat,
): string {
  const key = [style, timeZone, locale].join(' ');
  let formatter = formatters.get(key);
  if (!formatter) {
    // Dates in Swedish have the format of ISO 8601.
    const language = style === 'file' ? 'sv-SE' : locale;
    formatter = new Intl.DateTimeFormat(language, { ...STYLES[style], timeZone });
    if (formatters.size >= MAX_FORMATTERS) formatters.clear();
    formatters.set(key, formatter);
  }
  return formatter.format(new Date(time));
}
