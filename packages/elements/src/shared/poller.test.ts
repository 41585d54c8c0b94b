import { expect } from '@open-wc/testing';
import { Poller } from './poller.ts';
import { untilQuiet } from '../test-support/until-quiet.ts';
import { waitUntil } from '../test-support/wait-until.ts';

describe('a poller', () => {
  let polls = 0;
  let poller: Poller;
  const poll = (delayMs: number) => {
    polls = 0;
    poller = new Poller(async () => {
      polls += 1;
      return delayMs;
    });
    return poller;
  };
  afterEach(() => poller.stop());

  it('polls again after the delay that a poll returns', async () => {
    poll(10).start(0);
    await waitUntil(() => polls >= 3, 'three polls');
  });

  it('does not poll without pause if the delay is longer than a timer can be', async () => {
    poll(2 ** 32).start(0);
    await waitUntil(() => polls > 0, 'a poll');
    await untilQuiet();
    expect(polls).to.equal(1);
  });

  it('polls at once when it is resumed after a poll was due', async () => {
    poll(100_000).pause();
    poller.start(0);
    await untilQuiet();
    expect(polls).to.equal(0);
    poller.resume();
    await waitUntil(() => polls === 1, 'the poll that was due');
  });

  it('keeps the delay of a start during a poll', async () => {
    let respond = (_: number) => {};
    let requests = 0;
    poller = new Poller(() => {
      requests += 1;
      return new Promise((resolve) => (respond = resolve));
    });
    poller.start(0);
    await waitUntil(() => requests === 1, 'a poll');
    poller.start(1);
    respond(100_000);
    await waitUntil(() => requests === 2, 'the poll that was asked for meanwhile');
  });
});
