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
export async function withTabLock<Answer>(
  name: string,
  signal: AbortSignal,
  onWait: () => void,
  run: (hasWaited: boolean) => Promise<Answer>,
): Promise<Answer> {
  const locks = navigator.locks as LockManager | undefined;
  if (!locks) return run(false);
  const lock = `connect-embed ${name}`;
  const result = await locks.request(lock, { ifAvailable: true }, async (freeLock) =>
    freeLock ? { answer: await run(false) } : undefined,
  );
  if (result) return result.answer;
  onWait();
  return (await locks.request(lock, { signal }, () => run(true))) as Answer;
}
