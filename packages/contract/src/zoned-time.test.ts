import assert from 'node:assert/strict';
import { test } from 'node:test';
import { instantFromLocal } from './zoned-time.ts';

const CASES = [
  ['2026-07-01T00:00', 'America/New_York', '2026-07-01T04:00'],
  ['2026-03-08T02:30', 'America/New_York', '2026-03-08T07:30'],
  ['2026-11-01T01:30', 'America/New_York', '2026-11-01T05:30'],
  ['2026-03-29T00:00', 'Atlantic/Azores', '2026-03-29T01:00'],
  ['2026-03-08T00:00', 'America/Havana', '2026-03-08T05:00'],
  ['2026-09-06T00:00', 'America/Santiago', '2026-09-06T04:00'],
  ['2026-11-01T00:00', 'America/Havana', '2026-11-01T04:00'],
  ['2026-10-04T02:15', 'Australia/Lord_Howe', '2026-10-03T15:45'],
  ['2026-11-20T00:00', 'Pacific/Kiritimati', '2026-11-19T10:00'],
] as const;

for (const [local, zone, instant] of CASES) {
  test(`${local} in ${zone} is ${instant} UTC`, () => {
    const at = instantFromLocal(Date.parse(`${local}Z`), zone);
    assert.equal(new Date(at).toISOString().slice(0, 16), instant);
  });
}
