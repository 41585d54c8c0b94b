/** Frees what a page that is gone would have freed: a gift under way holds a lock. */
export async function releaseLocks(): Promise<void> {
  const { held = [] } = await navigator.locks.query();
  for (const { name = '' } of held) {
    if (!name.includes('connect-embed')) continue;
    await navigator.locks.request(name, { steal: true }, () => {});
  }
}
