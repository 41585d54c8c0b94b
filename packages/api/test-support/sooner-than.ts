/** A machine that is late as often as this is asked of what it cannot show. */
const TRIES = 20;

/**
 * What `act` came to when it took less than so long: for what is true only so soon. A machine that
 * was busy meanwhile has shown nothing, and tries again.
 *
 * @param act is given `begin`, which says from when on the time counts; without it, from the start
 */
export async function soonerThan<Value>(
  ms: number,
  act: (begin: () => void) => Promise<Value>,
): Promise<Value> {
  for (let tries = 1; ; tries += 1) {
    let from = performance.now();
    const value = await act(() => (from = performance.now()));
    if (performance.now() - from < ms || tries === TRIES) return value;
  }
}
