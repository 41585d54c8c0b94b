/** After this time the donor is told what may keep the other tab, and can stop waiting. */
export const LONG_WAIT_MS = 15_000;

/** Tells the donor that another tab holds the lock. */
export interface WaitMessages {
  onWait: () => void;
  /** Called after `LONG_WAIT_MS`. `stop` ends the wait; a submission that has begun goes on. */
  onLongWait: (stop: () => void) => void;
  /** Called when the other tab has released the lock, and this tab submits. */
  onWaitEnd: () => void;
}

/**
 * Ensures that only one tab of this browser submits a donation at a time: a second one waits for
 * the first one's result.
 *
 * It uses the Web Locks API, so the browser releases the lock when a tab closes or crashes. Pages
 * without TLS have no Web Locks; there tabs do not wait.
 *
 * @param run `hasWaited` is true if another tab has just released the lock
 * @returns undefined if the donor has stopped the wait, and nothing was submitted
 */
export async function withTabLock<Result>(
  name: string,
  signal: AbortSignal,
  { onWait, onLongWait, onWaitEnd }: WaitMessages,
  run: (hasWaited: boolean) => Promise<Result>,
): Promise<Result | undefined> {
  const locks = navigator.locks as LockManager | undefined;
  if (!locks) return run(false);
  const lock = `connect-embed ${name}`;
  const outcome = await locks.request(lock, { ifAvailable: true }, async (freeLock) =>
    freeLock ? { value: await run(false) } : undefined,
  );
  if (outcome) return outcome.value;
  onWait();
  const stop = new AbortController();
  const timer = setTimeout(() => onLongWait(() => stop.abort()), LONG_WAIT_MS);
  try {
    return await locks.request(lock, { signal: AbortSignal.any([signal, stop.signal]) }, () => {
      clearTimeout(timer);
      onWaitEnd();
      return run(true);
    });
  } catch (error) {
    if (error === stop.signal.reason) return undefined;
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
