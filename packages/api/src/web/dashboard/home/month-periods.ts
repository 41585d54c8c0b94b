import { Temporal } from 'temporal-polyfill';

/** Whole days of a month, from its first day on. */
export interface Days {
  /** The first moments of the days, and of the day after the last one. */
  starts: Date[];
  first: Temporal.PlainDate;
  last: Temporal.PlainDate;
}

/** The days of the current month until today, and the same days of the month before. */
export interface MonthPeriods {
  current: Days;
  previous: Days;
}

/**
 * Returns the days of this month until today, and the same days of last month, in a time zone. If last
 * month is shorter, it ends with its last day.
 */
export function monthPeriods(
  timeZone: string,
  now: Temporal.Instant = Temporal.Now.instant(),
): MonthPeriods {
  const today = now.toZonedDateTimeISO(timeZone).toPlainDate();
  // `subtract` chooses the last day of a shorter month: 31 March becomes 28 February.
  return {
    current: daysUntil(today, timeZone),
    previous: daysUntil(today.subtract({ months: 1 }), timeZone),
  };
}

function daysUntil(last: Temporal.PlainDate, timeZone: string): Days {
  const first = last.with({ day: 1 });
  const starts = Array.from({ length: last.day + 1 }, (_, days) => {
    // A day has 23 or 25 hours at a clock change, so each one is converted.
    const start = first.add({ days }).toZonedDateTime(timeZone);
    return new Date(start.epochMilliseconds);
  });
  return { starts, first, last };
}
