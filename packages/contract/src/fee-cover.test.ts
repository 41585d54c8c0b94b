import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { feeCoverCents } from './fee-cover.ts';

const usualFee = { fee_cover_basis_points: 290, fee_cover_fixed_cents: 30 };
/** Stripe's fee for a charge, rounded to whole minor units. */
const feeOf = (charge: number) => Math.round((charge * 290) / 10_000) + 30;

describe('feeCoverCents', () => {
  test('adds the processing fee of a card', () => {
    assert.equal(feeCoverCents(usualFee, 5000, 'usd'), 181); // 51.81 less 1.80 is 50.01
    assert.equal(feeCoverCents(usualFee, 50, 'usd'), 33);
  });

  test('leaves the organization the whole donation, for any amount', () => {
    for (let donation = 50; donation < 200_000; donation += 37) {
      const charge = donation + feeCoverCents(usualFee, donation, 'usd');
      const rest = charge - feeOf(charge) - donation;
      assert.ok(rest >= 0 && rest <= 1, `${donation}: ${rest}`);
    }
  });

  test('adds nothing if there is no fee', () => {
    const noFee = { fee_cover_basis_points: 0, fee_cover_fixed_cents: 0 };
    assert.equal(feeCoverCents(noFee, 5000, 'usd'), 0);
  });

  test('is exact for the largest donation', () => {
    assert.equal(feeCoverCents(usualFee, 99_999_999, 'usd'), 2_986_643);
  });

  test('rounds up to an amount that can be charged: no decimals, or three with a last digit of 0', () => {
    assert.equal(feeCoverCents(usualFee, 5000, 'jpy'), 181);
    assert.equal(feeCoverCents(usualFee, 5000, 'kwd'), 190);
  });
});
