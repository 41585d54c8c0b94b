import { expect } from '@open-wc/testing';
import { warmUpAmountFormat, runAsSeparateTasks } from './tasks.ts';

/** More turns than any chain of promises in our code has. */
const MANY = 100;

describe('runAsSeparateTasks', () => {
  for (const [browser, scheduler] of [
    ['a browser with scheduler.yield', globalThis.scheduler],
    ['a browser with a scheduler without yield', {}],
    ['a browser without a scheduler', undefined],
  ] as const) {
    it(`runs the steps in order, each in its own task: ${browser}`, async () => {
      const original = Object.getOwnPropertyDescriptor(globalThis, 'scheduler')!;
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
        Object.defineProperty(globalThis, 'scheduler', original);
      }
    });
  }
});

describe('warmUpAmountFormat', () => {
  it('loads the collator and then the number format in another language or currency', () => {
    expect(callsOf(warmUpAmountFormat('usd', 'de'))).to.deep.equal(['Collator', 'NumberFormat']);
    expect(callsOf(warmUpAmountFormat('eur', 'en'))).to.deep.equal(['Collator', 'NumberFormat']);
  });

  it('uses no Intl for dollars in English', () => {
    expect(callsOf(warmUpAmountFormat('usd', 'en'))).to.deep.equal(['', '']);
  });
});

/** The members of `Intl` that each step uses. */
function callsOf(steps: (() => unknown)[]) {
  const original = globalThis.Intl;
  try {
    return steps.map((step) => {
      const accessed: PropertyKey[] = [];
      globalThis.Intl = new Proxy(original, {
        get: (_, name) => (accessed.push(name), original[name as 'Collator']),
      });
      step();
      return accessed.join();
    });
  } finally {
    globalThis.Intl = original;
  }
}

/** Runs after all pending microtasks, still in the same task. */
async function withinTheTask(act: () => unknown) {
  for (let index = 0; index < MANY; index += 1) await Promise.resolve();
  act();
}
