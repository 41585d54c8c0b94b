import { expect } from '@open-wc/testing';
import { TRANSITIONS, transition, type FormEvent, type FormState } from './form-state.ts';
import type { CompletedPayment } from './payment-outcome.ts';

const payment = { reference: 'pi_1' } as CompletedPayment;

const STATES: readonly FormState[] = [
  { status: 'loading' },
  { status: 'ready' },
  { status: 'submitting' },
  { status: 'succeeded', payment },
  { status: 'failed' },
  { status: 'blocked' },
];

/** For each event, where it leads from the states that accept it. All other states ignore it. */
const EXPECTED: readonly [FormEvent, Partial<Record<FormState['status'], FormState>>][] = [
  [
    { type: 'open' },
    {
      loading: { status: 'loading' },
      ready: { status: 'loading' },
      succeeded: { status: 'loading' },
      failed: { status: 'loading' },
      blocked: { status: 'loading' },
    },
  ],
  [{ type: 'opened' }, { loading: { status: 'ready' } }],
  [{ type: 'submit' }, { ready: { status: 'submitting' }, failed: { status: 'submitting' } }],
  [{ type: 'resumed' }, { submitting: { status: 'submitting' } }],
  [
    { type: 'succeeded', payment },
    {
      loading: { status: 'succeeded', payment },
      ready: { status: 'succeeded', payment },
      submitting: { status: 'succeeded', payment },
      failed: { status: 'succeeded', payment },
      blocked: { status: 'succeeded', payment },
    },
  ],
  [
    { type: 'failed' },
    {
      loading: { status: 'failed' },
      ready: { status: 'failed' },
      submitting: { status: 'failed' },
      failed: { status: 'failed' },
    },
  ],
  [
    { type: 'blocked' },
    {
      loading: { status: 'blocked' },
      ready: { status: 'blocked' },
      failed: { status: 'blocked' },
    },
  ],
  [{ type: 'unblocked' }, { blocked: { status: 'ready' } }],
  [{ type: 'restart' }, { succeeded: { status: 'ready' } }],
];

describe('the state of a form', () => {
  for (const [event, next] of EXPECTED) {
    for (const state of STATES) {
      const expected = next[state.status];
      const result = expected ? `becomes ${expected.status}` : 'ignores the event';
      it(`${state.status}, on ${event.type}: ${result}`, () => {
        expect(transition(state, event)).to.deep.equal(expected);
      });
    }
  }

  it('is tested with every event of the table', () => {
    const events = Object.values(TRANSITIONS).flatMap((transitions) => Object.keys(transitions));
    expect(EXPECTED.map(([{ type }]) => type)).to.have.members([...new Set(events)]);
  });

  it('becomes submitting once, however often the donor submits', () => {
    const submitting = transition({ status: 'ready' }, { type: 'submit' })!;
    expect(transition(submitting, { type: 'submit' })).to.equal(undefined);
  });

  it('is another object after each event, so that a late result is recognized', () => {
    const first = transition({ status: 'ready' }, { type: 'submit' })!;
    const second = transition(first, { type: 'resumed' });
    expect(second).to.deep.equal(first);
    expect(second).not.to.equal(first);
  });
});
