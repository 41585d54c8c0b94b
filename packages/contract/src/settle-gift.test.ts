import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ConnectError } from './error.ts';
import type { GiftTermsInput } from './gift-terms.ts';
import { completeTerms, settleGift } from './settle-gift.ts';

const BOUNDS = { min: 50, max: 99_999_999 };
const terms = (input: GiftTermsInput = {}) => completeTerms(input, BOUNDS);

const refusal = (field: string) => (error: unknown) =>
  error instanceof ConnectError &&
  error.type === 'invalid_request' &&
  error.message.startsWith(`${field}: `);

describe('completeTerms', () => {
  test('says everything of a form that says nothing', () => {
    assert.deepEqual(terms(), {
      fund_id: null,
      campaign_id: null,
      preset_amounts_cents: [2500, 5000, 10_000, 25_000],
      default_amount_cents: null,
      amount_locked: false,
      min_amount_cents: 50,
      max_amount_cents: 99_999_999,
    });
  });

  test('offers only usual amounts that the form takes', () => {
    const { preset_amounts_cents } = terms({ min_amount_cents: 3000, max_amount_cents: 20_000 });
    assert.deepEqual(preset_amounts_cents, [5000, 10_000]);
  });

  test('is the same when it is completed again', () => {
    const { preset_amounts_cents, min_amount_cents, max_amount_cents } = terms();
    assert.deepEqual(terms({ preset_amounts_cents, min_amount_cents, max_amount_cents }), terms());
  });

  for (const [why, input, field] of [
    ['bounds that cross', { min_amount_cents: 500, max_amount_cents: 400 }, 'min_amount_cents'],
    [
      'an offer below the smallest gift',
      { min_amount_cents: 500, preset_amounts_cents: [400] },
      'preset_amounts_cents',
    ],
    [
      'an offer above the largest gift',
      { max_amount_cents: 500, preset_amounts_cents: [600] },
      'preset_amounts_cents',
    ],
    ['a lock without amounts', { amount_locked: true }, 'amount_locked'],
    ['a lock on no amount', { amount_locked: true, preset_amounts_cents: [] }, 'amount_locked'],
    [
      'a choice that is not offered under lock',
      { amount_locked: true, preset_amounts_cents: [500], default_amount_cents: 600 },
      'default_amount_cents',
    ],
    [
      'a choice that is out of bounds',
      { max_amount_cents: 500, preset_amounts_cents: [], default_amount_cents: 600 },
      'default_amount_cents',
    ],
  ] as const) {
    test(`refuses ${why}, naming ${field}`, () => {
      assert.throws(() => terms(input as unknown as GiftTermsInput), refusal(field));
    });
  }
});

describe('settleGift', () => {
  test('leaves a gift alone that the form leaves open', () => {
    const gift = { amount_cents: 1234, fund_id: 'fund_1', donor_name: 'Ada' };
    assert.deepEqual(settleGift(terms(), gift), gift);
    assert.deepEqual(settleGift(terms(), { amount_cents: 50 }), { amount_cents: 50 });
  });

  test('adds fund and campaign of the form', () => {
    const form = terms({ fund_id: 'fund_1', campaign_id: 'camp_1' });
    assert.deepEqual(settleGift(form, { amount_cents: 5000 }), {
      amount_cents: 5000,
      fund_id: 'fund_1',
      campaign_id: 'camp_1',
    });
    assert.equal(settleGift(form, { amount_cents: 5000, fund_id: 'fund_1' }).fund_id, 'fund_1');
  });

  for (const [why, input, gift, field] of [
    [
      'another amount under lock',
      { amount_locked: true, preset_amounts_cents: [500] },
      { amount_cents: 501 },
      'amount_cents',
    ],
    ['less than the smallest', { min_amount_cents: 3000 }, { amount_cents: 2999 }, 'amount_cents'],
    [
      'more than the largest',
      { max_amount_cents: 30_000 },
      { amount_cents: 30_001 },
      'amount_cents',
    ],
    ['another fund', { fund_id: 'fund_1' }, { amount_cents: 5000, fund_id: 'fund_2' }, 'fund_id'],
  ] as const) {
    test(`refuses ${why}, naming ${field}`, () => {
      assert.throws(
        () => settleGift(terms(input as unknown as GiftTermsInput), gift),
        refusal(field),
      );
    });
  }

  test('takes the bounds themselves', () => {
    const form = terms({ min_amount_cents: 3000, max_amount_cents: 30_000 });
    for (const amount_cents of [3000, 30_000]) {
      assert.deepEqual(settleGift(form, { amount_cents }), { amount_cents });
    }
  });
});
