import { invalidRequest, type SeriesInterval } from '@connect-embed/contract';
import { Temporal } from 'temporal-polyfill';

/** One day, week, month or year of a series. */
export interface Bucket {
  /** Its first day in the time zone of the series, for example `2026-11-01`. */
  starts_on: string;
  fromMs: number;
  toMs: number;
}

/** A period in milliseconds: from `fromMs` (inclusive) to `toMs` (exclusive). */
export interface Span {
  fromMs: number;
  toMs: number;
}

/**
 * Maximum number of buckets, a little more than the days of a year. A chart of more buckets is not
 * readable.
 */
const MAX_BUCKETS = 400;

const DAY_MS = 86_400_000;

/**
 * Maximum number of days for each interval. The default interval is the first one whose maximum is
 * not exceeded.
 */
const MAX_DAYS_BY_INTERVAL: readonly (readonly [SeriesInterval, number])[] = [
  ['day', 62],
  ['week', 53 * 7],
  ['month', 10 * 366],
];

/** Returns the finest interval in which a chart of the period is readable. */
export function chooseInterval({ fromMs, toMs }: Span): SeriesInterval {
  const days = (toMs - fromMs) / DAY_MS;
  return MAX_DAYS_BY_INTERVAL.find(([, maxDays]) => days <= maxDays)?.[0] ?? 'year';
}

/**
 * Divides a period into the days, weeks, months or years of a time zone, without gaps.
 *
 * Days have the length of the zone's clock: 23 or 25 hours at a clock change. A day that a zone
 * skipped by crossing the date line has no bucket.
 *
 * @throws {ConnectError} `invalid_request` with param `interval` for more than 400 buckets, or with
 * `time_zone`
 */
export function createBuckets(
  { fromMs, toMs }: Span,
  interval: SeriesInterval,
  zone: string,
): Bucket[] {
  const first = startOfInterval(dayOf(fromMs, zone), interval);
  const edgeAt = (step: number) => {
    const day = first.add({ [`${interval}s`]: step });
    return { starts_on: `${day}`, fromMs: startOfDayMs(day, zone) };
  };
  const buckets: Bucket[] = [];
  let edge = edgeAt(0);
  for (let step = 1; Math.max(edge.fromMs, fromMs) < toMs; step += 1) {
    const next = edgeAt(step);
    if (next.fromMs > Math.max(edge.fromMs, fromMs)) buckets.push({ ...edge, toMs: next.fromMs });
    if (buckets.length > MAX_BUCKETS) {
      const problem = `must give at most ${MAX_BUCKETS} intervals. Choose a longer interval or a shorter period.`;
      throw invalidRequest('interval', problem);
    }
    edge = next;
  }
  return buckets;
}

/**
 * Returns the calendar day of a time in a time zone.
 *
 * @throws {ConnectError} `invalid_request` with param `time_zone` for an unknown time zone, and for
 *   legacy names such as PST, which are not supported everywhere
 */
function dayOf(timeMs: number, zone: string): Temporal.PlainDate {
  const instant = Temporal.Instant.fromEpochMilliseconds(timeMs);
  try {
    return instant.toZonedDateTimeISO(zone).toPlainDate();
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw invalidRequest('time_zone', 'must be an IANA time zone, such as America/New_York.');
  }
}

/**
 * Returns the first moment of a day: midnight, or the moment after a clock change that skips
 * midnight.
 */
const startOfDayMs = (day: Temporal.PlainDate, zone: string) =>
  day.toZonedDateTime(zone).epochMilliseconds;

function startOfInterval(day: Temporal.PlainDate, interval: SeriesInterval): Temporal.PlainDate {
  if (interval === 'week') return day.subtract({ days: day.dayOfWeek - 1 });
  if (interval === 'month') return day.with({ day: 1 });
  return interval === 'year' ? day.with({ month: 1, day: 1 }) : day;
}
