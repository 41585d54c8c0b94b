/** Releases all Web Locks of our forms, as closing the page would do: a pending payment holds a lock. */
export async function releaseLocks(): Promise<void> {
  const { held: heldLocks = [] } = await navigator.locks.query();
  for (const { name = '' } of heldLocks) {
    if (!name.includes('connect-embed')) continue;
    await navigator.locks.request(name, { steal: true }, () => {});
  }
}
