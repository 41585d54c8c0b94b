import { expect } from '@open-wc/testing';
import { loadAmountFormat, nextTask } from './tasks.ts';

/** More turns than any chain of promises in our code has. */
const MANY = 100;

/** Runs after all pending microtasks, still in the same task. */
async function withinTheTask(act: () => unknown) {
  for (let index = 0; index < MANY; index += 1) await Promise.resolve();
  act();
}

describe('nextTask', () => {
  for (const [browser, scheduler] of [
    ['a browser with scheduler.yield', globalThis.scheduler],
    ['a browser with a scheduler without yield', {}],
    ['a browser without a scheduler', undefined],
  ] as const) {
    it(`continues in another task: ${browser}`, async () => {
      const original = Object.getOwnPropertyDescriptor(globalThis, 'scheduler')!;
      Object.defineProperty(globalThis, 'scheduler', { value: scheduler, configurable: true });
      try {
        const log: string[] = [];
        const done = nextTask().then(() => log.push('next task'));
        await withinTheTask(() => log.push('this task'));
        await done;
        expect(log).to.deep.equal(['this task', 'next task']);
      } finally {
        Object.defineProperty(globalThis, 'scheduler', original);
      }
    });
  }
});

describe('loadAmountFormat', () => {
  it('loads the collator and then the number format in another language or currency, each in its own task', async () => {
    const expected = ['Collator', 'end of task', 'NumberFormat', 'end of task'];
    expect(await membersUsed('usd', 'de')).to.deep.equal(expected);
    expect(await membersUsed('eur', 'en')).to.deep.equal(expected);
  });

  it('uses no Intl for dollars in English', async () => {
    expect(await membersUsed('usd', 'en')).to.deep.equal([]);
  });
});

/** The members of `Intl` that are used, in order. */
async function membersUsed(currency: string, language: string): Promise<string[]> {
  const original = globalThis.Intl;
  const log: string[] = [];
  const record = (name: string) => {
    log.push(name);
    void withinTheTask(() => log.push('end of task'));
  };
  try {
    globalThis.Intl = new Proxy(original, {
      get: (_, name) => (record(`${name as string}`), original[name as 'Collator']),
    });
    await loadAmountFormat(currency, language);
    await nextTask();
    return log;
  } finally {
    globalThis.Intl = original;
  }
}
