import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { LOCKS, unlessTaken } from '../../db/lock.ts';
import type { WorkDeps } from '../../env.ts';
import { isDisconnected } from '../../processor/errors.ts';
import type { Difference } from './difference.ts';
import { reconcile } from './reconcile.ts';

/** An event that got lost is made up for in less than a minute. */
const EVERY_MS = 25_000;
/** The processor or the database was away: soon again, then less soon. */
const AFTER_FAILURE_MS = 5_000;
/** The lists show what no event told; they are longer. */
const COMPARE_EVERY_MS = 3_600_000;
/** So far back the lists are compared, beyond the last time. */
const COMPARE_BACK_MS = 3 * 86_400_000;
/** A process that ends waits so long for a pass; what was cut short is done by the next one. */
const GRACE_MS = 2_000;

/** Reconciles at once and from then on, one process at a time of however many. */
export function startReconciler(deps: WorkDeps) {
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = (async () => {
    let failures = 0;
    const troubles = new Set<string>();
    while (!signal.aborted) {
      const failed = await once(deps, troubles, signal);
      failures = failed ? failures + 1 : 0;
      await sleep(waitAfter(failures), undefined, { signal }).catch(() => {});
    }
  })();
  return {
    async stop(): Promise<void> {
      stopping.abort();
      await Promise.race([running, sleep(GRACE_MS, undefined, { ref: false })]);
    },
  };
}

const waitAfter = (failures: number) =>
  failures === 0 ? EVERY_MS : Math.min(EVERY_MS, AFTER_FAILURE_MS * 2 ** (failures - 1));

/** What went wrong before any organization's turn came. */
const ALL = 'all';

/**
 * @param troubles whoever failed the last time; each is told once, until it goes well again
 * @returns whether it is worth trying again soon
 */
async function once(deps: WorkDeps, troubles: Set<string>, signal: AbortSignal): Promise<boolean> {
  const { db, log } = deps;
  const failing = new Set<string>();
  let again = false;
  const onFailure = (organization: string, err: unknown) => {
    const left = isDisconnected(err);
    const what = left ? 'cannot be reconciled' : 'reconciling failed; trying again';
    if (!troubles.has(organization) && !signal.aborted) log.warn({ err, organization }, what);
    failing.add(organization);
    again ||= !left;
  };
  try {
    await unlessTaken(db, LOCKS.reconcile, () =>
      reconcile(
        deps,
        { onFailure, lists: ({ comparedAt }) => listsOf(comparedAt) },
        { differs: (difference) => tell(log, difference), looked: () => {} },
      ),
    );
  } catch (err) {
    onFailure(ALL, err);
  }
  troubles.clear();
  for (const organization of failing) troubles.add(organization);
  return again;
}

const tell = (log: Logger, difference: Difference) =>
  log[difference.healed ? 'info' : 'warn']({ difference }, 'differed from the processor');

function listsOf(comparedAt: Date | null) {
  const now = Date.now();
  // Without its sign: a clock that was set back must not put it off for long.
  if (comparedAt && Math.abs(now - comparedAt.getTime()) < COMPARE_EVERY_MS) return undefined;
  return { from: new Date((comparedAt?.getTime() ?? now) - COMPARE_BACK_MS), heal: true };
}
