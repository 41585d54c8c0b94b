import { setTimeout as sleep } from 'node:timers/promises';
import { Counter } from 'prom-client';
import { LOCKS, tryWithLock } from '../../db/advisory-lock.ts';
import type { WorkerDeps } from '../deps.ts';
import { isAccessRefused } from '../stripe/errors.ts';
import type { Reporter } from './difference.ts';
import { reconcile } from './reconcile.ts';

/** Interval between runs. An event that was not delivered is processed in less than a minute. */
const INTERVAL_MS = 25_000;
/** First delay after a failure of Stripe or the database. Doubles with each further failure. */
const RETRY_MS = 5_000;
/**
 * Interval between comparisons with Stripe's lists. They take longer than processing missed events.
 */
const COMPARE_INTERVAL_MS = 3_600_000;
/** How far before the last comparison the lists are compared. */
const COMPARE_LOOKBACK_MS = 3 * 86_400_000;
/** How long shutdown waits for the current run. The next run completes what was interrupted. */
const GRACE_MS = 2_000;

/**
 * Starts the reconciliation job: runs now and then at intervals. A database lock lets only one of
 * several processes run it at a time.
 */
export function startReconciler(deps: WorkerDeps) {
  const stopping = new AbortController();
  const { signal } = stopping;
  const onDifference = createDifferenceReporter(deps);
  const running = (async () => {
    let failures = 0;
    const failedBefore = new Set<string>();
    while (!signal.aborted) {
      const failed = await runOnce(deps, failedBefore, signal, onDifference);
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

/** Key for a failure that happened before any organization was processed. */
const ALL_ORGANIZATIONS = 'all';

/**
 * Reconciles all organizations once.
 *
 * @param failedBefore organizations that failed in the last run. A failure is logged once, until
 *   the organization succeeds again. Updated by this run.
 * @returns whether to retry soon
 */
async function runOnce(
  deps: WorkerDeps,
  failedBefore: Set<string>,
  signal: AbortSignal,
  onDifference: Reporter['onDifference'],
): Promise<boolean> {
  const { db, log } = deps;
  const failing = new Set<string>();
  let retrySoon = false;
  const onFailure = (organization: string, err: unknown) => {
    const isRefused = isAccessRefused(err);
    const description = isRefused
      ? 'cannot be reconciled'
      : 'reconciling failed; it will be retried';
    if (!failedBefore.has(organization) && !signal.aborted)
      log.warn({ err, organization }, description);
    failing.add(organization);
    retrySoon ||= !isRefused;
  };
  try {
    await tryWithLock(db, LOCKS.reconcile, () =>
      reconcile(
        deps,
        { onFailure, compareOptionsFor: ({ comparedAt }) => compareOptionsOf(comparedAt) },
        { onDifference, onChecked: () => {} },
      ),
    );
  } catch (err) {
    onFailure(ALL_ORGANIZATIONS, err);
  }
  failedBefore.clear();
  for (const organization of failing) failedBefore.add(organization);
  return retrySoon;
}

/** Logs and counts differences. */
function createDifferenceReporter({ log, metrics }: WorkerDeps): Reporter['onDifference'] {
  const differences = new Counter({
    name: 'connect_reconciliation_differences_total',
    help: 'Records that differed from Stripe. A person must decide about those not repaired.',
    labelNames: ['repaired'],
    registers: [metrics.register],
  });
  // A counter that appears with its first increment would not alert about it.
  for (const repaired of ['true', 'false']) differences.inc({ repaired }, 0);
  return (difference) => {
    differences.inc({ repaired: String(difference.isRepaired) });
    log[difference.isRepaired ? 'info' : 'warn']({ difference }, 'record differed from Stripe');
  };
}

function compareOptionsOf(comparedAt: Date | null) {
  const now = Date.now();
  // The absolute value handles a clock that was set back.
  if (comparedAt && Math.abs(now - comparedAt.getTime()) < COMPARE_INTERVAL_MS) return undefined;
  return { from: new Date((comparedAt?.getTime() ?? now) - COMPARE_LOOKBACK_MS), repair: true };
}
