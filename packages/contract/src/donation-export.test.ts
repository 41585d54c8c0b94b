import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { csvFileName, csvLine, DONATION_EXPORT_COLUMNS } from './donation-export.ts';
import { formatDate } from './format-date.ts';

describe('a CSV line', () => {
  test('quotes separators, quotes and line breaks', () => {
    assert.equal(
      csvLine(['a,b', 'say "hi"', 'two\nlines', null]),
      '"a,b","say ""hi""","two\nlines",\r\n',
    );
  });

  test('turns formulas into text, so that a spreadsheet does not run them', () => {
    for (const text of ['=1+1', '+1', '-1', '@SUM(A1)', ' =1', '\u200b=1', '＝1', '|calc', '%0']) {
      assert.equal(csvLine([text]), `'${text}\r\n`);
    }
    assert.equal(csvLine(['\t=1']), `'\t=1\r\n`);
    assert.equal(csvLine(['=A1,B1']), `"'=A1,B1"\r\n`);
  });

  test('keeps numbers as numbers, also negative ones', () => {
    assert.equal(csvLine([{ number: '-12.50' }, { number: '3' }]), '-12.50,3\r\n');
  });

  test('has each column once', () => {
    assert.equal(new Set(DONATION_EXPORT_COLUMNS).size, DONATION_EXPORT_COLUMNS.length);
  });
});

test('a CSV file name has letters, digits and hyphens', () => {
  assert.equal(
    csvFileName('donations', 'Élan / "Ünder" <b>', '2026-03-01 to 2026-03-31'),
    'donations-elan-under-b-2026-03-01-to-2026-03-31.csv',
  );
  assert.equal(csvFileName('donations', '../..', ''), 'donations.csv');
});

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
