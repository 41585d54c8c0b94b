import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectedArrival } from './expected-arrival.ts';

for (const [method, confirmed, expected] of [
  ['sepa_debit', '2026-11-02T10:00:00.000Z', '2026-11-09T10:00:00.000Z'], // Monday to Monday.
  ['sepa_debit', '2026-11-07T10:00:00.000Z', '2026-11-13T10:00:00.000Z'], // Saturday to Friday.
  ['us_bank_account', '2026-11-02T23:59:59.000Z', '2026-11-06T23:59:59.000Z'], // Monday to Friday.
  ['us_bank_account', '2026-12-31T10:00:00.000Z', '2027-01-06T10:00:00.000Z'], // Thursday to Wednesday.
] as const) {
  test(`${method} of ${confirmed} is expected at ${expected}`, () => {
    assert.equal(expectedArrival(method, new Date(confirmed))?.toISOString(), expected);
  });
}

test('other payment methods take no days', () => {
  for (const method of ['card', 'paypal', null])
    assert.equal(expectedArrival(method, new Date()), null);
});
