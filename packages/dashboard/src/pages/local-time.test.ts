import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { instantOfInput, localTimeText } from './local-time.ts';

describe('local time', () => {
  for (const [local, zone, instant] of [
    ['2027-01-31T18:30', 'America/New_York', '2027-01-31T23:30'],
    ['2027-07-31T18:30', 'America/New_York', '2027-07-31T22:30'],
    ['2027-03-14T01:59', 'America/New_York', '2027-03-14T06:59'],
    ['2027-03-14T03:00', 'America/New_York', '2027-03-14T07:00'],
    ['2027-11-07T03:00', 'America/New_York', '2027-11-07T08:00'],
    ['2027-01-31T00:15', 'Asia/Kathmandu', '2027-01-30T18:30'],
    ['2027-01-31T23:59', 'Pacific/Kiritimati', '2027-01-31T09:59'],
    ['2028-02-29T12:00', 'UTC', '2028-02-29T12:00'],
  ] as const) {
    test(`${local} in ${zone} converts to an instant and back`, () => {
      const date = instantOfInput(local, zone);
      assert.equal(date?.toISOString(), `${instant}:00.000Z`);
      assert.equal(localTimeText(date, zone), local);
    });
  }

  test('a time in the hour skipped by daylight saving time moves to the next hour', () => {
    assert.equal(
      instantOfInput('2027-03-14T02:30', 'America/New_York')?.toISOString().slice(14, 16),
      '30',
    );
  });

  const invalidTimes = ['2027-02-30T10:00', '2027-13-01T10:00', '2027-01-01', '', 'tomorrow'];
  for (const local of [...invalidTimes, '0026-11-21T18:00', '0000-01-01T00:00']) {
    test(`"${local}" is rejected`, () => assert.equal(instantOfInput(local, 'UTC'), undefined));
  }

  test('an instant in a year with five digits is rejected', () => {
    assert.ok(instantOfInput('9999-12-31T23:59', 'UTC'));
    assert.equal(instantOfInput('9999-12-31T23:59', 'America/New_York'), undefined);
  });

  test('an unknown time zone is rejected', () => {
    assert.equal(instantOfInput('2027-01-01T10:00', 'Mars/Olympus'), undefined);
    assert.equal(instantOfInput('2027-01-01T10:00', ''), undefined);
    assert.equal(instantOfInput('2027-01-01T10:00', '+05:30'), undefined);
  });
});
