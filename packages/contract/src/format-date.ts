/**
 * How a moment is written for people:
 * `date` Mar 29, 2026; `long-date` March 29, 2026; `event` to the minute with the weekday, `exact` to
 * the second, both with the name of the zone; `time` 11:30 PM; `file` 2026-03-29 23:30:00, which every spreadsheet
 * reads as a date whatever its language. The heading of the column names the zone there.
 */
export type DateStyle = 'date' | 'long-date' | 'event' | 'exact' | 'time' | 'file';

/** Whose clock and whose language a moment is written in. */
export interface DateFormat {
  /** IANA name: the organization's zone, or the event's. */
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

/** Making a formatter costs a thousand times what using one does; an export of 100,000 rows uses one. */
const formatters = new Map<string, Intl.DateTimeFormat>();
const MAX_FORMATTERS = 200;

/**
 * Formats a time for people. All code uses this function, and every caller names the time zone, so that a
 * time is shown as the same day everywhere.
 *
 * @param moment a moment, or its ISO 8601 text as the API writes it
 */
export function formatDate(
  moment: Date | string,
  style: DateStyle,
  { timeZone, locale }: DateFormat,
): string {
  const key = [style, timeZone, locale].join(' ');
  let formatter = formatters.get(key);
  if (!formatter) {
    // Swedish writes dates as ISO 8601 does.
    const language = style === 'file' ? 'sv-SE' : locale;
    formatter = new Intl.DateTimeFormat(language, { ...STYLES[style], timeZone });
    if (formatters.size >= MAX_FORMATTERS) formatters.clear();
    formatters.set(key, formatter);
  }
  return formatter.format(new Date(moment));
}
