/**
 * Lets one tab of this browser give at a time: a second one waits until the first has its answer.
 *
 * The browser itself frees the way when a tab closes or crashes. Without TLS there are no locks,
 * as in a local trial on another machine; then nobody waits.
 *
 * @param onWait another tab is giving at this moment
 * @param run `waited` tells that another tab has just finished
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
