import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ConnectError } from './error.ts';
import { DonationTerms, type DonationTermsInput } from './donation-terms.ts';
import type { CreatePaymentIntent } from './payment-intent.ts';
import { completeTerms, presetAmountsFor, applyDonationTerms } from './apply-donation-terms.ts';

const BOUNDS = { min: 50, max: 99_999_999 };
const terms = (input: DonationTermsInput = {}) => completeTerms(input, BOUNDS);
const applyTerms = (form: DonationTerms, donation: CreatePaymentIntent, currency = 'usd') =>
  applyDonationTerms(form, donation, currency);

const isError = (field: string) => (error: unknown) =>
  error instanceof ConnectError &&
  error.type === 'invalid_request' &&
  error.message.startsWith(`${field} `);

describe('completeTerms', () => {
  test('fills in the default of every field', () => {
    assert.deepEqual(terms(), {
      fund_id: null,
      campaign_id: null,
      preset_amounts_cents: [2500, 5000, 10_000, 25_000],
      default_amount_cents: null,
      amount_locked: false,
      min_amount_cents: 50,
      max_amount_cents: 99_999_999,
      frequencies: ['one_time'],
      default_frequency: 'one_time',
      preset_amounts_by_frequency: {},
      fee_cover: 'off',
      fee_cover_basis_points: 290,
      fee_cover_fixed_cents: 30,
      fund_choices: [],
      allow_dedication: false,
      allow_anonymous: false,
      allow_comment: false,
      prefill_from_url: [],
      success_url: null,
      show_goal: false,
      card_loading: 'interaction',
      payment_method_types: null,
    });
  });

  test('stored terms without the newer fields get the same defaults', () => {
    const { fund_id, campaign_id, preset_amounts_cents, default_amount_cents } = terms();
    const { amount_locked, min_amount_cents, max_amount_cents } = terms();
    const older = { fund_id, campaign_id, preset_amounts_cents, default_amount_cents };
    const bounds = { amount_locked, min_amount_cents, max_amount_cents };
    assert.deepEqual(DonationTerms.parse({ ...older, ...bounds }), terms());
  });

  test('selects the first frequency, and offers each frequency its own amounts', () => {
    const form = terms({
      frequencies: ['monthly', 'one_time'],
      preset_amounts_by_frequency: { monthly: [500, 1000] },
    });
    assert.equal(form.default_frequency, 'monthly');
    assert.deepEqual(presetAmountsFor(form, 'monthly'), [500, 1000]);
    assert.deepEqual(presetAmountsFor(form, 'one_time'), [2500, 5000, 10_000, 25_000]);
  });

  test('shows a goal only with a campaign', () => {
    assert.throws(() => terms({ show_goal: true }), isError('show_goal'));
    assert.equal(terms({ show_goal: true, campaign_id: 'camp_winter' }).show_goal, true);
  });

  test('adds the names of the fund choices', () => {
    const funds = [
      { id: 'fund_1', name: 'Meals' },
      { id: 'fund_2', name: 'Kitchen' },
    ];
    const form = completeTerms({ fund_choice_ids: ['fund_2', 'fund_1'] }, BOUNDS, funds);
    assert.deepEqual(form.fund_choices, funds.toReversed());
  });

  test('omits default preset amounts that are out of bounds', () => {
    const { preset_amounts_cents } = terms({ min_amount_cents: 3000, max_amount_cents: 20_000 });
    assert.deepEqual(preset_amounts_cents, [5000, 10_000]);
  });

  test('completed terms stay the same when they are completed again', () => {
    const { preset_amounts_cents, min_amount_cents, max_amount_cents } = terms();
    assert.deepEqual(terms({ preset_amounts_cents, min_amount_cents, max_amount_cents }), terms());
  });

  for (const [description, input, field] of [
    [
      'a minimum above the maximum',
      { min_amount_cents: 500, max_amount_cents: 400 },
      'min_amount_cents',
    ],
    [
      'a preset amount below the minimum',
      { min_amount_cents: 500, preset_amounts_cents: [400] },
      'preset_amounts_cents',
    ],
    [
      'a preset amount above the maximum',
      { max_amount_cents: 500, preset_amounts_cents: [600] },
      'preset_amounts_cents',
    ],
    ['amount_locked without amounts', { amount_locked: true }, 'amount_locked'],
    [
      'amount_locked with an empty list of amounts',
      { amount_locked: true, preset_amounts_cents: [] },
      'amount_locked',
    ],
    [
      'a default amount that is not offered, with amount_locked',
      { amount_locked: true, preset_amounts_cents: [500], default_amount_cents: 600 },
      'default_amount_cents',
    ],
    [
      'a default amount out of range',
      { max_amount_cents: 500, preset_amounts_cents: [], default_amount_cents: 600 },
      'default_amount_cents',
    ],
    ['a frequency twice', { frequencies: ['monthly', 'monthly'] }, 'frequencies'],
    [
      'a default frequency that is not offered',
      { default_frequency: 'yearly' },
      'default_frequency',
    ],
    [
      'amounts of a frequency that is not offered',
      { preset_amounts_by_frequency: { yearly: [5000] } },
      'preset_amounts_by_frequency',
    ],
    [
      'a preset amount of a frequency out of range',
      { min_amount_cents: 500, preset_amounts_by_frequency: { one_time: [400] } },
      'preset_amounts_by_frequency',
    ],
    [
      'amount_locked with a frequency without amounts',
      {
        amount_locked: true,
        frequencies: ['one_time', 'monthly'],
        preset_amounts_by_frequency: { one_time: [500] },
      },
      'amount_locked',
    ],
    [
      'a choice of funds with a fixed fund',
      { fund_id: 'fund_1', fund_choice_ids: ['fund_1', 'fund_2'] },
      'fund_choice_ids',
    ],
    ['a fund twice', { fund_choice_ids: ['fund_1', 'fund_1'] }, 'fund_choice_ids'],
  ] as const) {
    test(`rejects ${description}, naming ${field}`, () => {
      assert.throws(() => terms(input as unknown as DonationTermsInput), isError(field));
    });
  }
});

describe('applyDonationTerms', () => {
  test('does not change a donation that the terms do not restrict', () => {
    const donation = { amount_cents: 1234, donor_name: 'Ada' };
    assert.deepEqual(applyTerms(terms(), donation), donation);
    assert.deepEqual(applyTerms(terms(), { amount_cents: 50 }), { amount_cents: 50 });
  });

  test('adds the fund and campaign of the form', () => {
    const form = terms({ fund_id: 'fund_1', campaign_id: 'camp_1' });
    assert.deepEqual(applyTerms(form, { amount_cents: 5000 }), {
      amount_cents: 5000,
      fund_id: 'fund_1',
      campaign_id: 'camp_1',
    });
    assert.equal(applyTerms(form, { amount_cents: 5000, fund_id: 'fund_1' }).fund_id, 'fund_1');
  });

  for (const [description, input, donation, field] of [
    [
      'another amount with amount_locked',
      { amount_locked: true, preset_amounts_cents: [500] },
      { amount_cents: 501 },
      'amount_cents',
    ],
    [
      'an amount below the minimum',
      { min_amount_cents: 3000 },
      { amount_cents: 2999 },
      'amount_cents',
    ],
    [
      'an amount above the maximum',
      { max_amount_cents: 30_000 },
      { amount_cents: 30_001 },
      'amount_cents',
    ],
    ['another fund', { fund_id: 'fund_1' }, { amount_cents: 5000, fund_id: 'fund_2' }, 'fund_id'],
    [
      'a fund that is not offered',
      { fund_choice_ids: ['fund_1', 'fund_3'] },
      { amount_cents: 5000, fund_id: 'fund_2' },
      'fund_id',
    ],
    ['a fund if none is offered', {}, { amount_cents: 5000, fund_id: 'fund_2' }, 'fund_id'],
    [
      'a fund if only the campaign is fixed',
      { campaign_id: 'camp_1' },
      { amount_cents: 5000, fund_id: 'fund_2' },
      'fund_id',
    ],
    [
      'a frequency that is not offered',
      {},
      { amount_cents: 5000, frequency: 'monthly' },
      'frequency',
    ],
    [
      'a single donation if only recurring ones are offered',
      { frequencies: ['monthly'] },
      { amount_cents: 5000 },
      'frequency',
    ],
    [
      'the amount of another frequency with amount_locked',
      {
        amount_locked: true,
        preset_amounts_cents: [500],
        frequencies: ['one_time', 'monthly'],
        preset_amounts_by_frequency: { monthly: [300] },
      },
      { amount_cents: 500, frequency: 'monthly' },
      'amount_cents',
    ],
    [
      'a covered fee if fee cover is not offered',
      {},
      { amount_cents: 5181, fee_cover_cents: 181 },
      'fee_cover_cents',
    ],
    [
      'a covered fee that differs from the computed one',
      { fee_cover: 'offered' },
      { amount_cents: 5182, fee_cover_cents: 182 },
      'fee_cover_cents',
    ],
    [
      'an amount that reaches the minimum only with the fee',
      { fee_cover: 'offered', min_amount_cents: 5000 },
      { amount_cents: 5000, fee_cover_cents: 181 },
      'amount_cents',
    ],
    [
      'a comment if the form has no comment field',
      {},
      { amount_cents: 5000, metadata: { comment: 'Hello' } },
      'metadata.comment',
    ],
    [
      'an unknown metadata key that every object inherits',
      { allow_comment: true },
      { amount_cents: 5000, metadata: { constructor: 'x' } },
      'metadata.constructor',
    ],
    [
      'another value than "true" for anonymous',
      { allow_anonymous: true },
      { amount_cents: 5000, metadata: { anonymous: 'no' } },
      'metadata.anonymous',
    ],
  ] as const) {
    test(`rejects ${description}, naming ${field}`, () => {
      assert.throws(
        () =>
          applyTerms(
            terms(input as unknown as DonationTermsInput),
            donation as CreatePaymentIntent,
          ),
        isError(field),
      );
    });
  }

  test('accepts the bounds themselves', () => {
    const form = terms({ min_amount_cents: 3000, max_amount_cents: 30_000 });
    for (const amount_cents of [3000, 30_000]) {
      assert.deepEqual(applyTerms(form, { amount_cents }), { amount_cents });
    }
  });

  test('accepts everything that a form offers, together', () => {
    const form = terms({
      amount_locked: true,
      preset_amounts_cents: [5000],
      frequencies: ['one_time', 'yearly'],
      fee_cover: 'preselected',
      fund_choice_ids: ['fund_1', 'fund_2'],
      allow_dedication: true,
      allow_anonymous: true,
      allow_comment: true,
    });
    const donation: CreatePaymentIntent = {
      amount_cents: 5181,
      fee_cover_cents: 181,
      frequency: 'yearly',
      fund_id: 'fund_2',
      metadata: { dedication: 'In memory of Ada', anonymous: 'true', comment: 'Thank\nyou' },
    };
    assert.deepEqual(applyTerms(form, donation), donation);
  });

  test('calculates the fee cover in the currency of the organization', () => {
    const form = terms({ fee_cover: 'offered' });
    assert.ok(applyTerms(form, { amount_cents: 5190, fee_cover_cents: 190 }, 'kwd'));
    assert.throws(
      () => applyTerms(form, { amount_cents: 5181, fee_cover_cents: 181 }, 'kwd'),
      isError('fee_cover_cents'),
    );
  });
});
