import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkCvc, checkExpiry, checkNumber, formatExpiry, formatNumber } from './card-format.ts';

describe('a card number', () => {
  for (const [typed, shown] of [
    ['4242424242424242', '4242 4242 4242 4242'],
    ['4242-4242 4242x4242 99', '4242 4242 4242 4242'],
    ['42424', '4242 4'],
    ['378282246310005', '3782 822463 10005'],
    ['', ''],
  ] as const) {
    test(`${typed || 'nothing'} is shown as ${shown || 'nothing'}`, () => {
      assert.equal(formatNumber(typed), shown);
    });
  }

  test('is incomplete before it is invalid', () => {
    assert.equal(checkNumber('4242 4242')?.code, 'incomplete_number');
    assert.equal(checkNumber('4242 4242 4242 4241')?.code, 'invalid_number');
    assert.equal(checkNumber('4242 4242 4242 4242'), undefined);
    assert.equal(checkNumber('3782 822463 10005'), undefined);
  });
});

describe('an expiration date', () => {
  for (const [typed, shown, afterDeleting] of [
    ['1234', '12 / 34', '12 / 34'],
    ['4', '04 / ', '04'],
    ['12', '12 / ', '12'],
    ['1', '1', '1'],
    ['1/', '01 / ', '01'],
    ['1/34', '01 / 34', '01 / 34'],
    ['12/2034', '12 / 34', '12 / 34'],
    ['12 / 345', '12 / 34', '12 / 34'],
  ] as const) {
    test(`${typed} is shown as "${shown}"`, () => {
      assert.equal(formatExpiry(typed), shown);
      assert.equal(formatExpiry(typed, true), afterDeleting);
    });
  }

  test('is valid until the end of its month', () => {
    const now = new Date(2026, 10, 30);
    assert.equal(checkExpiry('11 / 26', now), undefined);
    assert.equal(checkExpiry('10 / 26', now)?.code, 'invalid_expiry_month_past');
    assert.equal(checkExpiry('12 / 25', now)?.code, 'invalid_expiry_year_past');
    assert.equal(checkExpiry('13 / 30', now)?.code, 'invalid_expiry_month');
    assert.equal(checkExpiry('12 / 90', now)?.code, 'invalid_expiry_year');
    assert.equal(checkExpiry('1', now)?.code, 'incomplete_expiry');
  });
});

test('a security code has four digits for American Express', () => {
  assert.equal(checkCvc('123', 'visa'), undefined);
  assert.equal(checkCvc('123', 'amex')?.code, 'incomplete_cvc');
});
