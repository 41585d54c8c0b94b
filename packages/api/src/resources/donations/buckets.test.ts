import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SERIES_INTERVALS, type SeriesInterval } from '@connect-embed/contract';
import fc from 'fast-check';
import { createBuckets, chooseInterval } from './buckets.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Time zones with unusual transitions, each with a moment of one. */
const UNUSUAL_TRANSITIONS: readonly (readonly [zone: string, moment: string])[] = [
  ['America/New_York', '2026-03-08T07:00:00Z'],
  ['America/New_York', '2026-11-01T06:00:00Z'],
  ['Europe/Berlin', '2026-10-25T01:00:00Z'],
  ['America/Havana', '2026-11-01T05:00:00Z'], // Midnight occurs twice.
  ['Africa/Cairo', '2026-04-23T22:00:00Z'], // Midnight does not exist.
  ['America/Sao_Paulo', '2018-11-04T03:00:00Z'], // Midnight does not exist.
  ['America/Santiago', '2026-09-06T04:00:00Z'],
  ['Australia/Lord_Howe', '2026-04-04T15:00:00Z'], // The clock changes by half an hour.
  ['Pacific/Apia', '2011-12-30T10:00:00Z'], // A whole day does not exist.
  ['Pacific/Kiritimati', '2026-12-31T10:00:00Z'],
  ['Asia/Kathmandu', '2026-02-28T18:15:00Z'],
  ['UTC', '2028-02-29T00:00:00Z'],
];

/** The calendar day of a moment, according to `Intl`. */
const dayOf = (moment: number, timeZone: string) =>
  new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(moment);

/** The first day of the interval of a day, computed with the text of the date and whole days only. */
function firstDayOf(day: string, interval: SeriesInterval): string {
  if (interval === 'month') return `${day.slice(0, 7)}-01`;
  if (interval === 'year') return `${day.slice(0, 4)}-01-01`;
  if (interval === 'day') return day;
  const midnight = Date.parse(`${day}T00:00:00Z`);
  const sinceMonday = (new Date(midnight).getUTCDay() + 6) % 7;
  return new Date(midnight - sinceMonday * DAY_MS).toISOString().slice(0, 10);
}

const moments = fc.oneof(
  fc
    .tuple(
      fc.constantFrom(...UNUSUAL_TRANSITIONS),
      fc.integer({ min: -3 * HOUR_MS, max: 3 * HOUR_MS }),
    )
    .map(([[zone, moment], offsetMs]) => ({ zone, moment: Date.parse(moment) + offsetMs })),
  fc
    .tuple(
      fc.constantFrom(...UNUSUAL_TRANSITIONS.map(([zone]) => zone)),
      fc.integer({ min: Date.UTC(2012, 0), max: Date.UTC(2035, 0) }),
    )
    .map(([zone, moment]) => ({ zone, moment })),
);

describe('the buckets of a period', () => {
  for (const interval of SERIES_INTERVALS) {
    test(`have every moment in the ${interval} of the zone’s calendar`, () => {
      const durationMs = fc.integer({ min: 0, max: 60 * DAY_MS });
      const property = fc.property(
        moments,
        durationMs,
        durationMs,
        ({ zone, moment }, past, future) => {
          const span = { fromMs: moment - past, toMs: moment + future + 1 };
          const found = createBuckets(span, interval, zone).filter(
            ({ fromMs, toMs }) => fromMs <= moment && moment < toMs,
          );
          assert.deepEqual(
            found.map(({ starts_on }) => starts_on),
            [firstDayOf(dayOf(moment, zone), interval)],
          );
        },
      );
      fc.assert(property, { numRuns: 300 });
    });

    test(`are contiguous and cover the period: ${interval}`, () => {
      const property = fc.property(
        moments,
        fc.integer({ min: 1, max: 100 * DAY_MS }),
        ({ zone, moment: fromMs }, length) => {
          const toMs = fromMs + length;
          const buckets = createBuckets({ fromMs, toMs }, interval, zone);
          assert.ok(buckets[0]!.fromMs <= fromMs && buckets.at(-1)!.toMs >= toMs);
          assert.ok(buckets.at(-1)!.fromMs < toMs);
          for (const [index, { fromMs: start, toMs: end }] of buckets.entries()) {
            assert.ok(start < end);
            if (index > 0) assert.equal(buckets[index - 1]!.toMs, start);
          }
        },
      );
      fc.assert(property, { numRuns: 100 });
    });
  }

  test('of months have the lengths of the months', () => {
    const span = { fromMs: Date.UTC(2027, 10, 30), toMs: Date.UTC(2028, 3, 2) };
    const days = createBuckets(span, 'month', 'UTC').map(({ starts_on, fromMs, toMs }) => [
      starts_on,
      (toMs - fromMs) / DAY_MS,
    ]);
    assert.deepEqual(days, [
      ['2027-11-01', 30],
      ['2027-12-01', 31],
      ['2028-01-01', 31],
      ['2028-02-01', 29],
      ['2028-03-01', 31],
      ['2028-04-01', 30],
    ]);
  });

  test('are 23 and 25 hours long on the days of a clock change', () => {
    const hours = (moment: string) => {
      const fromMs = Date.parse(moment);
      const [day] = createBuckets({ fromMs, toMs: fromMs + 1 }, 'day', 'America/New_York');
      return (day!.toMs - day!.fromMs) / HOUR_MS;
    };
    assert.equal(hours('2026-03-08T12:00:00Z'), 23);
    assert.equal(hours('2026-11-01T12:00:00Z'), 25);
  });

  test('are none for an empty period, and at most 400', () => {
    const now = Date.UTC(2026, 0);
    assert.deepEqual(createBuckets({ fromMs: now, toMs: now }, 'day', 'UTC'), []);
    assert.equal(
      createBuckets({ fromMs: now, toMs: now + 400 * DAY_MS }, 'day', 'UTC').length,
      400,
    );
    const createTooMany = () =>
      createBuckets({ fromMs: now, toMs: now + 401 * DAY_MS }, 'day', 'UTC');
    assert.throws(createTooMany, { type: 'invalid_request', message: /^interval / });
  });
});

test('the interval is chosen so that a chart of the period is readable', () => {
  const chosen = (days: number) => chooseInterval({ fromMs: 0, toMs: days * DAY_MS });
  assert.deepEqual([1, 62, 63, 371, 372, 3660, 3661].map(chosen), [
    ...['day', 'day', 'week', 'week', 'month', 'month', 'year'],
  ]);
});
