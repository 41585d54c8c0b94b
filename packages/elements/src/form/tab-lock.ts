/**
 * Ensures that only one tab of this browser submits a donation at a time: a second one waits for
 * the first one's result.
 *
 * It uses the Web Locks API, so the browser releases the lock when a tab closes or crashes. Pages
 * without TLS have no Web Locks; there tabs do not wait.
 *
 * @param onWait called if another tab holds the lock
 * @param run `hasWaited` is true if another tab has just released the lock
 */
export async function withTabLock<Result>(
  name: string,
  signal: AbortSignal,
  onWait: () => void,
  run: (hasWaited: boolean) => Promise<Result>,
): Promise<Result> {
  const locks = navigator.locks as LockManager | undefined;
  if (!locks) return run(false);
  const lock = `connect-embed ${name}`;
  const outcome = await locks.request(lock, { ifAvailable: true }, async (freeLock) =>
    freeLock ? { value: await run(false) } : undefined,
  );
  if (outcome) return outcome.value;
  onWait();
  return (await locks.request(lock, { signal }, () => run(true))) as Result;
}
