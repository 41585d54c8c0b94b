import { Temporal } from 'temporal-polyfill';

/** Days of a month, from its first day on. */
export interface Days {
  /** The first moments of the days. */
  starts: Date[];
  /** The first moment after the period. */
  end: Date;
  first: Temporal.PlainDate;
  last: Temporal.PlainDate;
}

/** The current month until today, and the same part of the month before. */
export interface MonthPeriods {
  current: Days;
  previous: Days;
  /** Whether last month is shorter, and therefore compared as a whole. */
  isWholeMonth: boolean;
}

/**
 * Returns the days of this month until today, and last month until the same day and time, in a time zone.
 * Today has not ended, so a whole day of last month would be more.
 */
export function monthPeriods(
  timeZone: string,
  instant: Temporal.Instant = Temporal.Now.instant(),
): MonthPeriods {
  const now = instant.toZonedDateTimeISO(timeZone);
  // `subtract` chooses the last day of a shorter month: 31 March becomes 28 February.
  const before = now.subtract({ months: 1 });
  const isWholeMonth = before.day < now.day;
  const previous = daysUntil(before);
  return {
    current: daysUntil(now),
    previous: isWholeMonth ? previous : { ...previous, end: new Date(before.epochMilliseconds) },
    isWholeMonth,
  };
}

/** Returns the days of a month until the end of the day of `time`. */
function daysUntil(time: Temporal.ZonedDateTime): Days {
  const last = time.toPlainDate();
  const first = last.with({ day: 1 });
  // A day has 23 or 25 hours at a clock change, so each one is converted.
  const startOf = (date: Temporal.PlainDate) =>
    new Date(date.toZonedDateTime(time.timeZoneId).epochMilliseconds);
  return {
    starts: Array.from({ length: last.day }, (_, days) => startOf(first.add({ days }))),
    end: startOf(last.add({ days: 1 })),
    first,
    last,
  };
}
