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

/** Runs after all pending microtasks, still in the same task. */
async function withinTheTask(act: () => unknown) {
  for (let turn = 0; turn < MANY; turn += 1) await Promise.resolve();
  act();
}
