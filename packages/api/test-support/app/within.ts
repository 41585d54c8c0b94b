/**
 * Maximum number of attempts. The result of the last attempt is returned even if it took too long.
 */
const MAX_ATTEMPTS = 20;

/**
 * Repeats an operation until it takes less than `ms` milliseconds and returns its result. Used for
 * assertions that hold only within a short time, which a busy machine can exceed.
 *
 * @param operation may call `startTimer` to start measuring later than at its own start
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
