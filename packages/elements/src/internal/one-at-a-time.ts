/**
 * Lets one tab of this browser give at a time: a second one waits until the first has its answer.
 *
 * The browser itself frees the way when a tab closes or crashes. Without TLS there are no locks,
 * as in a local trial on another machine; then nobody waits.
 *
 * @param onWait another tab is giving at this moment
 * @param act `waited` tells that another tab has just finished
 */
export async function oneAtATime<Answer>(
  name: string,
  signal: AbortSignal,
  onWait: () => void,
  act: (waited: boolean) => Promise<Answer>,
): Promise<Answer> {
  const locks = navigator.locks as LockManager | undefined;
  if (!locks) return act(false);
  const lock = `connect-embed ${name}`;
  const tried = await locks.request(lock, { ifAvailable: true }, async (free) =>
    free ? { answer: await act(false) } : undefined,
  );
  if (tried) return tried.answer;
  onWait();
  return (await locks.request(lock, { signal }, () => act(true))) as Answer;
}
