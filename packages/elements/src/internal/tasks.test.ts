import { expect } from '@open-wc/testing';
import { warmUpAmountFormat, runAsSeparateTasks } from './tasks.ts';

/** More than any chain of promises of ours is long. */
const MANY = 100;

describe('steps that are a task each', () => {
  for (const [browser, scheduler] of [
    ['one that knows how to yield', globalThis.scheduler],
    ['one with a scheduler that does not', {}],
    ['one without', undefined],
  ] as const) {
    it(`come one after the other, and never in one task, in ${browser}`, async () => {
      const own = Object.getOwnPropertyDescriptor(globalThis, 'scheduler')!;
      Object.defineProperty(globalThis, 'scheduler', { value: scheduler, configurable: true });
      try {
        const log: string[] = [];
        const steps = ['one', 'two', 'three'].map((name) => () => {
          log.push(name);
          void withinTheTask(() => log.push(`after ${name}`));
        });
        const done = runAsSeparateTasks(...steps);
        await withinTheTask(() => expect(log).to.deep.equal([]));
        await done;
        expect(log.slice(0, 5)).to.deep.equal(['one', 'after one', 'two', 'after two', 'three']);
      } finally {
        Object.defineProperty(globalThis, 'scheduler', own);
      }
    });
  }
});

describe('the first amount of a page', () => {
  it('is two steps in another language or currency, and what sorts words comes first', () => {
    expect(callsOf(warmUpAmountFormat('usd', 'de'))).to.deep.equal(['Collator', 'NumberFormat']);
    expect(callsOf(warmUpAmountFormat('eur', 'en'))).to.deep.equal(['Collator', 'NumberFormat']);
  });

  it('asks the browser for nothing in dollars of English', () => {
    expect(callsOf(warmUpAmountFormat('usd', 'en'))).to.deep.equal(['', '']);
  });
});

/** What each step asks of `Intl`. */
function callsOf(steps: (() => unknown)[]) {
  const own = globalThis.Intl;
  try {
    return steps.map((step) => {
      const asked: PropertyKey[] = [];
      globalThis.Intl = new Proxy(own, {
        get: (_, name) => (asked.push(name), own[name as 'Collator']),
      });
      step();
      return asked.join();
    });
  } finally {
    globalThis.Intl = own;
  }
}

/** Later than whatever waits for promises only. */
async function withinTheTask(act: () => unknown) {
  for (let turn = 0; turn < MANY; turn += 1) await Promise.resolve();
  act();
}
