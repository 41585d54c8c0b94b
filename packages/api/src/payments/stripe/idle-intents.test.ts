import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toIdleState } from './idle-intents.ts';

type Intent = Parameters<typeof toIdleState>[0];

for (const [expected, intent] of [
  ['no_attempt', { status: 'requires_payment_method' }],
  ['no_attempt', { status: 'requires_confirmation' }],
  ['card', { status: 'requires_payment_method', last_payment_error: { type: 'card_error' } }],
  ['card', { status: 'requires_action' }],
  ['card', { status: 'requires_action', next_action: { type: 'use_stripe_sdk' } }],
  [
    'card',
    {
      status: 'requires_action',
      next_action: { type: 'redirect_to_url' },
      payment_method: { type: 'card' },
    },
  ],
  [
    'not_card',
    {
      status: 'requires_action',
      next_action: { type: 'redirect_to_url' },
      payment_method: { type: 'ideal' },
    },
  ],
  [
    'card',
    {
      status: 'requires_action',
      next_action: { type: 'redirect_to_url' },
      payment_method: { type: 'paypal' },
    },
  ],
  ['not_card', { status: 'requires_action', next_action: { type: 'verify_with_microdeposits' } }],
  ['not_card', { status: 'requires_action', next_action: { type: 'boleto_display_details' } }],
  [
    'not_card',
    { status: 'requires_action', next_action: { type: 'display_bank_transfer_instructions' } },
  ],
  ['not_card', { status: 'processing' }],
] as const) {
  test(`toIdleState of ${JSON.stringify(intent)} is ${expected}`, () => {
    const defaults = { last_payment_error: null, next_action: null, payment_method: null };
    assert.equal(toIdleState({ ...defaults, ...intent } as unknown as Intent), expected);
  });
}
