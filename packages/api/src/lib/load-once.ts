/**
 * Returns a function that calls `load` at its first call and returns the same result from then on. A
 * process that never needs a large library therefore starts without it.
 */
export function loadOnce<Result>(load: () => Promise<Result>): () => Promise<Result> {
  let result: Promise<Result> | undefined;
  return () => (result ??= load());
}
