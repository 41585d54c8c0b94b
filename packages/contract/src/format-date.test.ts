import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { formatDate } from './format-date.ts';

describe('formatDate', () => {
  const NEW_YORK = { timeZone: 'America/New_York', locale: 'en-US' };

  test('formats the day in the given time zone', () => {
    const at = new Date('2026-03-30T03:30:00Z');
    assert.equal(formatDate(at, 'date', NEW_YORK), 'Mar 29, 2026');
    assert.equal(formatDate(at, 'file', NEW_YORK), '2026-03-29 23:30:00');
    assert.equal(formatDate(at, 'date', { ...NEW_YORK, timeZone: 'UTC' }), 'Mar 30, 2026');
    assert.match(formatDate(at, 'exact', NEW_YORK), /^Mar 29, 2026, 11:30:00\sPM EDT$/);
  });

  test('follows daylight saving', () => {
    // At 2:00 on March 8, clocks in New York are set to 3:00.
    assert.equal(formatDate('2026-03-08T04:59:59Z', 'file', NEW_YORK), '2026-03-07 23:59:59');
    assert.equal(formatDate('2026-03-09T03:59:59Z', 'file', NEW_YORK), '2026-03-08 23:59:59');
    assert.equal(formatDate('2026-03-09T04:00:00Z', 'file', NEW_YORK), '2026-03-09 00:00:00');
  });

  test('formats midnight as 00, not 24', () => {
    assert.equal(
      formatDate('2026-01-01T00:00:00.000Z', 'file', { timeZone: 'UTC', locale: 'ar' }),
      '2026-01-01 00:00:00',
    );
  });
});
