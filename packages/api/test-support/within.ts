/** A machine that is late as often as this is asked of what it cannot show. */
const MAX_ATTEMPTS = 20;

/**
 * What `act` came to when it took less than so long: for what is true only so soon. A machine that
 * was busy meanwhile has shown nothing, and tries again.
 *
 * @param operation is given `begin`, which says from when on the time counts; without it, from the start
 */
export async function within<Value>(
  ms: number,
  operation: (startTimer: () => void) => Promise<Value>,
): Promise<Value> {
  for (let attempt = 1; ; attempt += 1) {
    let from = performance.now();
    const value = await operation(() => (from = performance.now()));
    if (performance.now() - from < ms || attempt === MAX_ATTEMPTS) return value;
  }
}
