import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { LOCKS, tryWithLock } from '../../db/advisory-lock.ts';
import type { WorkerDeps } from '../../env.ts';
import { isDisconnected } from '../../processor/errors.ts';
import type { Difference } from './difference.ts';
import { reconcile } from './reconcile.ts';

/** An event that got lost is made up for in less than a minute. */
const INTERVAL_MS = 25_000;
/** The processor or the database was away: soon again, then less soon. */
const RETRY_MS = 5_000;
/** The lists show what no event told; they are longer. */
const COMPARE_INTERVAL_MS = 3_600_000;
/** So far back the lists are compared, beyond the last time. */
const COMPARE_LOOKBACK_MS = 3 * 86_400_000;
/** A process that ends waits so long for a pass; what was cut short is done by the next one. */
const GRACE_MS = 2_000;

/** Reconciles at once and from then on, one process at a time of however many. */
export function startReconciler(deps: WorkerDeps) {
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = (async () => {
    let failures = 0;
    const failedBefore = new Set<string>();
    while (!signal.aborted) {
      const failed = await runOnce(deps, failedBefore, signal);
      failures = failed ? failures + 1 : 0;
      await sleep(delayAfter(failures), undefined, { signal }).catch(() => {});
    }
  })();
  return {
    async stop(): Promise<void> {
      stopping.abort();
      await Promise.race([running, sleep(GRACE_MS, undefined, { ref: false })]);
    },
  };
}

const delayAfter = (failures: number) =>
  failures === 0 ? INTERVAL_MS : Math.min(INTERVAL_MS, RETRY_MS * 2 ** (failures - 1));

/** What went wrong before any organization's turn came. */
const ALL_ORGANIZATIONS = 'all';

/**
 * @param failedBefore whoever failed the last time; each is told once, until it goes well again
 * @returns whether it is worth trying again soon
 */
async function runOnce(
  deps: WorkerDeps,
  failedBefore: Set<string>,
  signal: AbortSignal,
): Promise<boolean> {
  const { db, log } = deps;
  const failing = new Set<string>();
  let retrySoon = false;
  const onFailure = (organization: string, err: unknown) => {
    const isLost = isDisconnected(err);
    const what = isLost ? 'cannot be reconciled' : 'reconciling failed; trying again';
    if (!failedBefore.has(organization) && !signal.aborted) log.warn({ err, organization }, what);
    failing.add(organization);
    retrySoon ||= !isLost;
  };
  try {
    await tryWithLock(db, LOCKS.reconcile, () =>
      reconcile(
        deps,
        { onFailure, compareOptionsFor: ({ comparedAt }) => compareOptionsOf(comparedAt) },
        { onDifference: (difference) => logDifference(log, difference), onChecked: () => {} },
      ),
    );
  } catch (err) {
    onFailure(ALL_ORGANIZATIONS, err);
  }
  failedBefore.clear();
  for (const organization of failing) failedBefore.add(organization);
  return retrySoon;
}

const logDifference = (log: Logger, difference: Difference) =>
  log[difference.healed ? 'info' : 'warn']({ difference }, 'differed from the processor');

function compareOptionsOf(comparedAt: Date | null) {
  const now = Date.now();
  // Without its sign: a clock that was set back must not put it off for long.
  if (comparedAt && Math.abs(now - comparedAt.getTime()) < COMPARE_INTERVAL_MS) return undefined;
  return { from: new Date((comparedAt?.getTime() ?? now) - COMPARE_LOOKBACK_MS), repair: true };
}
