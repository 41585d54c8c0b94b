import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { rejectOnAbort, startLeaseWorker, type LeaseQueue } from './lease-worker.ts';

type Queue = LeaseQueue<string>;

/** Starts a worker on a queue in memory with one lane of two slots. */
function start(t: TestContext, jobs: string[], queue: Partial<Queue>) {
  const started: string[] = [];
  const attempt = queue.attempt ?? (async () => {});
  const worker = startLeaseWorker<string>({
    lanes: [{ slots: 2, claim: async (count) => jobs.splice(0, count) }],
    pollMs: 10,
    onClaimError: () => assert.fail('the queue could not be read'),
    onAttemptError: () => assert.fail('an attempt failed'),
    ...queue,
    attempt: async (job, signal) => {
      started.push(job);
      await attempt(job, signal);
    },
  });
  t.after(() => worker.stop(0));
  return { worker, started };
}

const until = async (isReached: () => boolean) => {
  while (!isReached()) await sleep(5);
};

describe('a lease worker', () => {
  test('fills free slots, and claims the next job when an attempt ends', async (t) => {
    const finish = new Map<string, () => void>();
    const jobs = ['a', 'b', 'c'];
    let polls = 0;
    const { started } = start(t, [], {
      lanes: [
        { slots: 2, claim: async (count) => jobs.splice(0, count) },
        { slots: 1, claim: async () => ((polls += 1), []) },
      ],
      attempt: (job) => new Promise((resolve) => finish.set(job, resolve)),
    });
    await until(() => started.length >= 2);
    const polled = polls + 3;
    await until(() => polls >= polled); // The lane without a free slot polls as often.
    assert.deepEqual(started, ['a', 'b']);
    finish.get('b')!();
    await until(() => started.length === 3);
    for (const resolve of finish.values()) resolve();
  });

  test('runs a lane while all slots of another one are in use', async (t) => {
    const slow = ['slow 1', 'slow 2'];
    const fast = ['fast 1', 'fast 2', 'fast 3'];
    const { started } = start(t, [], {
      lanes: [slow, fast].map((jobs) => ({
        slots: 1,
        claim: async (count) => jobs.splice(0, count),
      })),
      attempt: async (job, signal) => {
        if (job.startsWith('slow')) await rejectOnAbort(signal).catch(() => {});
      },
    });
    await until(() => started.includes('fast 3'));
    assert.equal(slow.length, 1);
  });

  test('continues after an attempt failed', async (t) => {
    const failed: string[] = [];
    const { started } = start(t, ['a', 'b', 'c'], {
      attempt: () => Promise.reject(new Error('failed')),
      onAttemptError: (_, job) => failed.push(job),
    });
    await until(() => failed.length === 3);
    assert.deepEqual(failed, started);
  });

  test('claims nothing more when stopped, and waits for running attempts', async (t) => {
    const jobs = ['a'];
    let isSaved = false;
    const { worker, started } = start(t, jobs, {
      attempt: async (_, signal) => {
        await sleep(50);
        isSaved = !signal.aborted;
      },
    });
    await until(() => started.length === 1);
    const stopping = worker.stop();
    jobs.push('b');
    await stopping;
    assert.ok(isSaved);
    assert.deepEqual(jobs, ['b']);
  });

  test('aborts attempts that take longer than the grace period, and waits until they ended', async (t) => {
    let isReleased = false;
    const { worker, started } = start(t, ['a'], {
      attempt: async (_, signal) => {
        await rejectOnAbort(signal).catch(() => {});
        await sleep(10);
        isReleased = true;
      },
    });
    await until(() => started.length === 1);
    await worker.stop(20);
    assert.ok(isReleased);
  });

  test('stops at once while it waits after an error', async (t) => {
    let errors = 0;
    const { worker } = start(t, [], {
      lanes: [{ slots: 1, claim: () => Promise.reject(new Error('no connection')) }],
      onClaimError: () => (errors += 1),
    });
    await until(() => errors === 1);
    const at = performance.now();
    await worker.stop();
    assert.ok(performance.now() - at < 900);
  });
});
