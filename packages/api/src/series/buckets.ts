import { invalidRequest, type SeriesInterval } from '@connect-embed/contract';
import { Temporal } from 'temporal-polyfill';

/** One step of a calendar: from its first moment to the first of the next. */
export interface Bucket {
  /** Its first day where the calendar hangs: `2026-11-01`. */
  starts_on: string;
  fromMs: number;
  toMs: number;
}

/** Moments: the first that counts, and the first that does not. */
export interface Span {
  fromMs: number;
  toMs: number;
}

/** A year of days with room; more is no picture, and no small answer. */
export const MAX_BUCKETS = 400;

const DAY_MS = 86_400_000;

/** Up to how many days a series is divided so by itself. */
const MAX_DAYS_BY_INTERVAL: readonly (readonly [SeriesInterval, number])[] = [
  ['day', 62],
  ['week', 53 * 7],
  ['month', 10 * 366],
];

/** The finest steps in which a time makes a picture. */
export function chooseInterval({ fromMs, toMs }: Span): SeriesInterval {
  const days = (toMs - fromMs) / DAY_MS;
  return MAX_DAYS_BY_INTERVAL.find(([, maxDays]) => days <= maxDays)?.[0] ?? 'year';
}

/**
 * The days, weeks, months or years of a zone that a time touches, without a gap between them.
 *
 * A day is as long as the clocks there make it: 23 or 25 hours twice a year, and none at all where a
 * zone went over the date line.
 *
 * @throws {ConnectError} `invalid_request` naming `interval` when there are more than 400, or `time_zone`
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
      const problem = `has more than ${MAX_BUCKETS} steps in this time; ask for longer steps, or for less.`;
      throw invalidRequest('interval', problem);
    }
    edge = next;
  }
  return buckets;
}

/** @throws {ConnectError} `invalid_request` naming `time_zone`: old names such as PST are not everywhere */
function dayOf(moment: number, zone: string): Temporal.PlainDate {
  const instant = Temporal.Instant.fromEpochMilliseconds(moment);
  try {
    return instant.toZonedDateTimeISO(zone).toPlainDate();
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw invalidRequest('time_zone', 'must be a zone such as America/New_York.');
  }
}

/** When a day begins: midnight, or the first moment after it where clocks leave midnight out. */
const startOfDayMs = (day: Temporal.PlainDate, zone: string) =>
  day.toZonedDateTime(zone).epochMilliseconds;

function startOfInterval(day: Temporal.PlainDate, interval: SeriesInterval): Temporal.PlainDate {
  if (interval === 'week') return day.subtract({ days: day.dayOfWeek - 1 });
  if (interval === 'month') return day.with({ day: 1 });
  return interval === 'year' ? day.with({ month: 1, day: 1 }) : day;
}
